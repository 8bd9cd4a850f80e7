/**
 * Per-process state: what one proxy keeps between requests. Nothing of it must be shared.
 * @module
 */

import type { Captures } from "../parts/capture/captures.ts";
import type { SharedCaptures } from "../parts/capture/capture-share.ts";
import { Doorkeeper } from "./door/admission.ts";
import { type Config, ConfigError } from "./settings/config.ts";
import { UsedPasses } from "../parts/console/used-passes.ts";
import { Traffic } from "../parts/console/traffic.ts";
import { createTimes, type Times } from "./http/deadlines.ts";
import { hasIpv6Range } from "./address/target-lists.ts";
import { type Exchange, Memory, requestOf, type Target } from "./exchange/exchange.ts";
import { bringsStrangers } from "./may/host-seal.ts";
import { Metrics } from "../parts/metrics/metrics.ts";
import { loadForms } from "../parts/forms/address-form.ts";
import { ProcessKey } from "./exchange/process-key.ts";
import type { OpenRequests } from "./exchange/open-requests.ts";
import { createGate, type Gate } from "../parts/gate/gate.ts";
import { type Parts, type RecordSink, RequestRecord } from "./exchange/record.ts";
import { Resolver } from "./address/dns-cache.ts";
import type { Runtime } from "./runtime.ts";

/** The state of one proxy in one process. */
export class State {
  /** This proxy's id in `CDN-Loop` (RFC 8586). */
  readonly loopId: string;
  /** The secret of the console: the page is given it, and its script shows it with each request. */
  readonly ticket: string;
  /** True once a page of a public host was served at the plain origin. From then on such a page may have set any cookie there. */
  hasStrangers: boolean;
  /** What it remembers of heads that come again. */
  readonly memory: Memory = new Memory();
  /** Signs what this proxy gives out. */
  readonly key: ProcessKey;
  readonly doorkeeper: Doorkeeper;
  /** Settings and table for requests to come. */
  readonly gate: Gate;
  readonly resolver: Resolver;
  /** `undefined` unless `METRICS` is set. */
  readonly metrics: Metrics | undefined;
  /** The metrics of every process of this proxy. */
  readonly readMetrics: () => Promise<readonly string[]>;
  /** `undefined` unless `CONSOLE` is set. */
  readonly traffic: Traffic | undefined;
  /** What this process captured; `undefined` until capture is on, or first asked for. */
  captures: Captures | undefined;
  /** The same of every process, as first asked for. */
  readonly openCaptures: () => Promise<SharedCaptures>;
  /** False until what the settings ask for is loaded: `prepare` does that. */
  isPrepared: boolean;
  /** Passes for the console's WebSockets that this process has taken. */
  readonly usedPasses = new UsedPasses();
  /** True where requests are logged, so that an id in an answer leads to a line. */
  readonly hasLog: boolean;
  /** True if the settings are options in code. */
  readonly isEmbedded: boolean;
  /** True if captures are there from the start. */
  readonly #capturesNow: boolean;
  readonly #sinks: RecordSink[] = [];
  readonly #open: OpenRequests | undefined;
  readonly #deadlines: Times;
  readonly #sharedDeadlines: Times;

  constructor(config: Config, parts: Parts = {}) {
    checkParts(config, parts);
    const {
      log,
      open,
      id = crypto.randomUUID(),
      ticket = crypto.randomUUID(),
      rateStore,
      shareMetrics,
      shareTraffic,
    } = parts;
    this.gate = parts.gate ?? createGate(config, parts.environment);
    this.loopId = `fetchvia-${id}`;
    this.ticket = ticket;
    // Another process may have served such a page.
    this.hasStrangers = parts.ticket !== undefined;
    // Processes of some platforms share nothing but their settings.
    this.key = new ProcessKey(config.signingKey || ticket);
    this.doorkeeper = new Doorkeeper(config, this.loopId, rateStore, () => this.gate.revoked);
    this.resolver = new Resolver(config.timeoutMs, hasIpv6Range(config.denyTargets));
    this.#deadlines = createTimes(config, false);
    this.#sharedDeadlines = createTimes(config, true);
    const metrics = this.metrics = config.metrics ? new Metrics() : undefined;
    const format = () => metrics?.format(this.gate.table && this.gate.reloads) ?? "";
    this.readMetrics = shareMetrics?.(format) ?? (() => Promise.resolve([format()]));
    this.traffic = config.console ? new Traffic(ticket, shareTraffic, open) : undefined;
    this.openCaptures = openOnce(config, parts, (shared) => void (this.captures = shared.own));
    this.hasLog = log !== undefined;
    this.isEmbedded = parts.isEmbedded === true;
    this.#open = open;
    this.#listSinks(config, parts);
    // Processes that share a proxy answer each other from the start.
    this.#capturesNow = config.capture !== "off" || (config.console && parts.shareCapture !== undefined);
    this.isPrepared = !this.#capturesNow && config.addressForms.length === 0;
    if (!this.isPrepared) void this.prepare().catch(() => {});
  }

  /** Who takes the record of a request when it ends, in their order. */
  #listSinks({ maxConcurrent, console }: Config, { log, open }: Parts): void {
    const { metrics, traffic } = this;
    if (maxConcurrent > 0) this.#sinks.push((record) => this.doorkeeper.leave(record));
    if (metrics) this.#sinks.push((record) => metrics.end(record));
    if (traffic) this.#sinks.push((record) => traffic.note(record));
    if (console) this.#sinks.push((record) => record.capture?.end());
    if (log) this.#sinks.push(log);
    if (open) this.#sinks.push((record) => open.delete(record));
  }

  /** Loads what the settings ask for; most ask for nothing. Requests wait for it. */
  async prepare(): Promise<void> {
    await Promise.all([
      this.#capturesNow && this.openCaptures(),
      this.gate.config.addressForms.length > 0 && loadForms(),
    ]);
    this.isPrepared = true;
  }

  /** The timeouts of a request in this runtime. */
  deadlines({ keepsTimers = false }: Runtime): Times {
    return keepsTimers ? this.#sharedDeadlines : this.#deadlines;
  }

  /** Records which target a request goes to. */
  note(exchange: Exchange, target: Target): void {
    const { record } = exchange;
    record.selector = target.selector;
    record.target = target.origin.host;
    this.hasStrangers ||= bringsStrangers(exchange, target);
    this.traffic?.aim(record, requestOf(exchange).method, target);
    record.capture?.aim();
  }

  /** Begins the record of a request. */
  begin(method: string): RequestRecord {
    this.metrics?.begin();
    const record = new RequestRecord(method, this.#sinks);
    (this.#open ?? this.traffic?.open)?.add(record);
    return record;
  }
}

/** Loads capture with the first call; all calls give the same. */
function openOnce(
  config: Config,
  parts: Parts,
  take: (shared: SharedCaptures) => void,
): () => Promise<SharedCaptures> {
  let opened: SharedCaptures | undefined;
  return async () => {
    const { shareCaptures } = await import("../parts/capture/capture-share.ts");
    take(opened ??= shareCaptures(config, parts));
    return opened;
  };
}

/**
 * Refuses settings that would have no effect here.
 *
 * @throws {ConfigError} where a part is missing
 */
function checkParts(config: Config, { rateStore }: Parts): void {
  const { workers, rateLimit, rateLimitStore, signingKey, callerTokens, revokedTokens } = config;
  if (workers > 1) {
    throw new ConfigError(
      `WORKERS is ${workers}, expected 1 here: only the command starts several processes`,
    );
  }
  if (rateLimitStore && !rateLimit && !signingKey) {
    throw new ConfigError("RATE_LIMIT_STORE is set, expected RATE_LIMIT with it");
  }
  if (callerTokens && !signingKey) {
    throw new ConfigError("CALLER_TOKENS is true, expected SIGNING_KEY with it");
  }
  if (revokedTokens.length > 0 && !signingKey) {
    throw new ConfigError("REVOKED_TOKENS is set, expected SIGNING_KEY with it");
  }
  if (rateLimitStore && !rateStore) {
    throw new ConfigError("RATE_LIMIT_STORE is set, expected none here. Pass a rateStore instead");
  }
  if (config.capture !== "off" && !config.console) {
    throw new ConfigError(
      `CAPTURE is ${config.capture}, expected CONSOLE with it: nothing else shows captures`,
    );
  }
  const { upstreamProxy, noUpstream, upstreamDns } = config;
  if (!upstreamProxy && (noUpstream.length > 0 || upstreamDns === "remote")) {
    const name = noUpstream.length > 0 ? "NO_UPSTREAM" : "UPSTREAM_DNS";
    throw new ConfigError(`${name} is set, expected UPSTREAM_PROXY with it`);
  }
}
