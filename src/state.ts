/**
 * What one proxy keeps between requests; another process of it needs none of that.
 * @module
 */

import { Doorkeeper } from "./door/admission.ts";
import { type Config, ConfigError } from "./settings/config.ts";
import { Traffic } from "./pages/console/traffic.ts";
import { createDeadlines, type Times } from "./http/deadlines.ts";
import { hasIpv6Range } from "./address/lists.ts";
import { type Exchange, requestOf, type Target } from "./exchange/exchange.ts";
import { bringsStrangers } from "./exchange/host-seal.ts";
import { Metrics } from "./pages/metrics.ts";
import { ProcessKey } from "./exchange/process-key.ts";
import { type Parts, type RecordSink, RequestRecord } from "./exchange/record.ts";
import { Resolver } from "./address/resolve.ts";
import type { Runtime } from "./exchange/runtime.ts";

function createTimes({ timeoutMs, idleTimeoutMs }: Config, isShared: boolean): Times {
  return { answer: createDeadlines(timeoutMs, isShared), idle: createDeadlines(idleTimeoutMs, isShared) };
}

/** Counters, remembered addresses, and the proxy's own id. */
export class State {
  /** This proxy's id in `CDN-Loop` (RFC 8586). */
  readonly loopId: string;
  /** What the console's page is given, and its script shows. */
  readonly ticket: string;
  /** True once pages of public hosts have been at the plain origin: from then on a cookie there may be theirs. */
  hasStrangers: boolean;
  /** Marks what this proxy gives out. */
  readonly key: ProcessKey;
  readonly doorkeeper: Doorkeeper;
  readonly resolver: Resolver;
  /** `undefined` where the settings don't ask for it. */
  readonly metrics: Metrics | undefined;
  /** The metrics of every process of this proxy. */
  readonly readMetrics: () => Promise<readonly string[]>;
  /** `undefined` where there is no console. */
  readonly traffic: Traffic | undefined;
  /** True where each request leaves a line that its id leads to. */
  readonly hasLog: boolean;
  readonly #sinks: RecordSink[];
  readonly #deadlines: Times;
  readonly #sharedDeadlines: Times;

  constructor(config: Config, parts: Parts = {}) {
    checkParts(config, parts);
    const {
      log,
      id = crypto.randomUUID(),
      ticket = crypto.randomUUID(),
      rateStore,
      shareMetrics,
      shareTraffic,
    } = parts;
    this.loopId = `fetchvia-${id}`;
    this.ticket = ticket;
    // What other processes have seen is not known here.
    this.hasStrangers = parts.ticket !== undefined;
    // Isolates of a Worker share nothing but their settings.
    this.key = new ProcessKey(config.signingKey || ticket);
    this.doorkeeper = new Doorkeeper(config, this.loopId, rateStore);
    this.resolver = new Resolver(config.timeoutMs, hasIpv6Range(config.denyTargets));
    this.#deadlines = createTimes(config, false);
    this.#sharedDeadlines = createTimes(config, true);
    const metrics = config.metrics ? new Metrics() : undefined;
    this.metrics = metrics;
    const format = () => metrics?.format() ?? "";
    this.readMetrics = shareMetrics?.(format) ?? (() => Promise.resolve([format()]));
    const traffic = config.console ? new Traffic(ticket, shareTraffic) : undefined;
    this.traffic = traffic;
    this.#sinks = [];
    if (config.maxConcurrent > 0) this.#sinks.push((record) => this.doorkeeper.leave(record));
    if (metrics) this.#sinks.push((record) => metrics.end(record));
    if (traffic) this.#sinks.push((record) => traffic.note(record));
    this.hasLog = log !== undefined;
    if (log) this.#sinks.push(log);
  }

  /** The times that a request has in this runtime. */
  deadlines({ keepsTimers = false }: Runtime): Times {
    return keepsTimers ? this.#sharedDeadlines : this.#deadlines;
  }

  /** Notes which target a request goes to. */
  note(exchange: Exchange, target: Target): void {
    const { record } = exchange;
    record.selector = target.selector;
    record.target = target.origin.host;
    this.hasStrangers ||= bringsStrangers(exchange, target);
    this.traffic?.aim(record, requestOf(exchange).method, target);
  }

  /** Begins the record of a request. */
  begin(method: string): RequestRecord {
    this.metrics?.begin();
    return new RequestRecord(method, this.#sinks);
  }
}

/**
 * Refuses settings that nothing here would act on.
 *
 * @throws {ConfigError} where a part is missing
 */
function checkParts({ workers, rateLimit, rateLimitStore }: Config, { rateStore }: Parts): void {
  if (workers > 1) {
    throw new ConfigError(
      `WORKERS is ${workers}, expected 1 here: only the command starts several processes`,
    );
  }
  if (rateLimitStore && !rateLimit) {
    throw new ConfigError("RATE_LIMIT_STORE is set, expected RATE_LIMIT with it");
  }
  if (rateLimitStore && !rateStore) {
    throw new ConfigError("RATE_LIMIT_STORE is set, expected none here: hand in a rateStore");
  }
}
