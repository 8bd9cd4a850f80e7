/**
 * Per-process state: what one proxy keeps between requests. None of it has to be shared with other processes.
 * @module
 */

import { Doorkeeper } from "./door/admission.ts";
import { type Config, ConfigError, fixSettings } from "./settings/config.ts";
import { createTimes, type Times } from "./http/deadlines.ts";
import { hostOf } from "./address/address.ts";
import { hasIpv6Range } from "./address/target-lists.ts";
import type { Exchange, Hooks, Target } from "./exchange/exchange.ts";
import { hooksOf, NO_HOOKS } from "./exchange/hooks.ts";
import { bringsStrangers } from "./may/host-cookie.ts";
import { ProcessKey } from "./exchange/process-key.ts";
import { type OpenRequests, type RecordSink, RequestRecord } from "./exchange/record.ts";
import { Resolver } from "./address/dns-cache.ts";
import type { LiveSettings, MakeParts, OpenSettings, Part, Parts } from "./part.ts";
import { Plans } from "./exchange/plan.ts";
import type { Runtime } from "./runtime.ts";
import { opensSocket } from "./way/handshake.ts";

/** The state of one proxy in one process. */
export class State {
  /** This proxy's id in `CDN-Loop` (RFC 8586). */
  readonly loopId: string;
  /** The console's secret: its page contains it, and the page's script sends it with each request. */
  readonly ticket: string;
  /** True once the plain origin has served a page of a public host: from then on, any cookie there may be of such a page. */
  hasStrangers: boolean;
  /** What was decided for heads that come again. */
  readonly plans: Plans = new Plans();
  /** Signs what this proxy issues. */
  readonly key: ProcessKey;
  readonly doorkeeper: Doorkeeper;
  readonly settings: LiveSettings;
  readonly resolver: Resolver;
  /** The parts of this proxy, in addition to the seed. */
  readonly parts: readonly Part[];
  /** The parts' `arrive` functions, called with each request as it came in. */
  readonly arrivals: readonly NonNullable<Part["arrive"]>[];
  /** False until `prepare` has loaded what the settings require. */
  isPrepared: boolean;
  /** True if requests are logged, so that the id in a response leads to a log line. */
  readonly hasLog: boolean;
  /** True if the settings are options in code. */
  readonly isEmbedded: boolean;
  readonly #begins: readonly RecordSink[];
  readonly #aims: readonly NonNullable<Part["aim"]>[];
  readonly #sinks: readonly RecordSink[];
  readonly #open: OpenRequests | undefined;
  readonly #deadlines: Times;
  readonly #sharedDeadlines: Times;
  #preparing: Promise<void> | undefined;
  #hooks = NO_HOOKS;
  /** The version of the settings that `#hooks` are of. */
  #version: number | undefined;

  /**
   * @param make makes the parts of this proxy; none by default
   * @param open opens the settings if none are lent
   */
  constructor(
    config: Config,
    lent: Parts = {},
    make: MakeParts = () => [],
    open: OpenSettings = fixSettings,
  ) {
    checkParts(config, lent);
    const { log, open: requests, id = crypto.randomUUID(), ticket = crypto.randomUUID(), rateStore } = lent;
    this.settings = lent.settings ?? open(config, lent.environment);
    this.loopId = `fetchvia-${id}`;
    this.ticket = ticket;
    // A given ticket is shared, so another process may have served such a page.
    this.hasStrangers = lent.ticket !== undefined;
    // Processes of some platforms share nothing but their settings.
    this.key = new ProcessKey(config.signingKey || ticket);
    this.doorkeeper = new Doorkeeper(config, this.loopId, rateStore);
    this.resolver = new Resolver(config.timeoutMs, hasIpv6Range(config.denyTargets));
    this.#deadlines = createTimes(config, false);
    this.#sharedDeadlines = createTimes(config, true);
    this.hasLog = log !== undefined;
    this.isEmbedded = lent.isEmbedded === true;
    const { settings } = this;
    const made = make(config, { lent, ticket, settings, hooks: () => this.hooks });
    const parts = this.parts = settings.part ? [...made, settings.part] : made;
    this.arrivals = listOf(parts, "arrive");
    this.#begins = listOf(parts, "begin");
    this.#aims = listOf(parts, "aim");
    this.#sinks = [
      ...config.maxConcurrent > 0 ? [(record: RequestRecord) => this.doorkeeper.leave(record)] : [],
      ...listOf(parts, "end"),
      ...log ? [log] : [],
      ...requests ? [(record: RequestRecord) => requests.delete(record)] : [],
    ];
    this.#open = requests;
    this.isPrepared = !parts.some(({ prepare }) => prepare);
    if (!this.isPrepared) void this.prepare().catch(() => {});
  }

  /** Loads what the settings require, usually nothing. Requests wait for it together; the next ones try again if it fails. */
  prepare(): Promise<void> {
    return this.#preparing ??= this.#load().finally(() => void (this.#preparing = undefined));
  }

  async #load(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.prepare?.()));
    // Only now do late parts have their rules.
    this.#version = undefined;
    this.isPrepared = true;
  }

  /** What the parts do in the steps, for requests from now on. */
  get hooks(): Hooks {
    const { version } = this.settings;
    if (version !== this.#version) {
      const rules = this.parts.map((part) => part.rules?.());
      this.#hooks = hooksOf(rules.filter((one) => one !== undefined));
      this.#version = version;
    }
    return this.#hooks;
  }

  /** The timeouts of a request in this runtime. */
  deadlines({ keepsTimers = false }: Runtime): Times {
    return keepsTimers ? this.#sharedDeadlines : this.#deadlines;
  }

  /** Records which target a request goes to. */
  note(exchange: Exchange, target: Target): void {
    const { record } = exchange;
    record.selector = target.selector;
    record.target = hostOf(target.origin);
    this.hasStrangers ||= bringsStrangers(exchange, target);
    const { method } = exchange.described ?? exchange.incoming;
    if (exchange.parts.witness.length > 0) {
      const { origin, path } = target;
      record.hop = { origin, path, method, isSocket: opensSocket(exchange, target) };
    }
    for (const aim of this.#aims) aim(record, method, target);
  }

  /** Begins the record of a request. */
  begin(method: string): RequestRecord {
    const record = new RequestRecord(method, this.#sinks);
    this.#open?.add(record);
    for (const begin of this.#begins) begin(record);
    return record;
  }
}

/** The functions of this name, from all parts that have one. */
function listOf<Name extends "arrive" | "begin" | "aim" | "end">(
  parts: readonly Part[],
  name: Name,
): NonNullable<Part[Name]>[] {
  return parts.flatMap((part) => part[name] ? [part[name].bind(part) as NonNullable<Part[Name]>] : []);
}

/**
 * Refuses settings that would have no effect here.
 *
 * @throws {ConfigError} when a setting requires something that is missing
 */
function checkParts(config: Config, { rateStore }: Parts): void {
  const { workers, rateLimit, rateLimitStore, signingKey, callerTokens, revokedTokens } = config;
  const { console, capture, upstreamProxy, noUpstream, upstreamDns } = config;
  const isRemote = upstreamDns === "remote";
  const faults: readonly (readonly [isSo: unknown, fault: string])[] = [
    [workers > 1, `WORKERS is ${workers}, expected 1 here: only the command starts several processes`],
    [rateLimitStore && !rateLimit && !signingKey, "RATE_LIMIT_STORE is set, expected RATE_LIMIT with it"],
    [callerTokens && !signingKey, "CALLER_TOKENS is true, expected SIGNING_KEY with it"],
    [revokedTokens.length > 0 && !signingKey, "REVOKED_TOKENS is set, expected SIGNING_KEY with it"],
    [rateLimitStore && !rateStore, "RATE_LIMIT_STORE is set, expected none here. Pass a rateStore instead"],
    [
      capture !== "off" && capture !== "console" && !console,
      `CAPTURE is ${capture}, expected CONSOLE with it: nothing else shows captures`,
    ],
    [noUpstream.length > 0 && !upstreamProxy, "NO_UPSTREAM is set, expected UPSTREAM_PROXY with it"],
    [isRemote && !upstreamProxy, "UPSTREAM_DNS is set, expected UPSTREAM_PROXY with it"],
  ];
  const found = faults.find(([isSo]) => isSo);
  if (found) throw new ConfigError(found[1]);
}
