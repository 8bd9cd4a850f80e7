/**
 * Per-process state: what one proxy keeps between requests. Nothing of it must be shared.
 * @module
 */

import { Doorkeeper } from "./door/admission.ts";
import { type Config, ConfigError } from "./settings/config.ts";
import { createTimes, type Times } from "./http/deadlines.ts";
import { hasIpv6Range } from "./address/target-lists.ts";
import { type Exchange, Memory, requestOf, type Target } from "./exchange/exchange.ts";
import { bringsStrangers } from "./may/host-seal.ts";
import { loadForms } from "../parts/forms/address-form.ts";
import { ProcessKey } from "./exchange/process-key.ts";
import type { OpenRequests } from "./exchange/open-requests.ts";
import { createGate, type Gate } from "../parts/gate/gate.ts";
import { type Parts, type RecordSink, RequestRecord } from "./exchange/record.ts";
import { Resolver } from "./address/dns-cache.ts";
import type { MakeParts, Part } from "./part.ts";
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
  /** What joins it beside the seed. */
  readonly parts: readonly Part[];
  /** Who of them is told of a request as it came. */
  readonly arrivals: readonly NonNullable<Part["arrive"]>[];
  /** False until what the settings ask for is loaded: `prepare` does that. */
  isPrepared: boolean;
  /** True where requests are logged, so that an id in an answer leads to a line. */
  readonly hasLog: boolean;
  /** True if the settings are options in code. */
  readonly isEmbedded: boolean;
  readonly #begins: readonly RecordSink[];
  readonly #aims: readonly NonNullable<Part["aim"]>[];
  readonly #sinks: readonly RecordSink[];
  readonly #open: OpenRequests | undefined;
  readonly #deadlines: Times;
  readonly #sharedDeadlines: Times;

  /** @param make makes what joins it; nothing by default */
  constructor(config: Config, lent: Parts = {}, make: MakeParts = () => []) {
    checkParts(config, lent);
    const { log, open, id = crypto.randomUUID(), ticket = crypto.randomUUID(), rateStore } = lent;
    this.gate = lent.gate ?? createGate(config, lent.environment);
    this.loopId = `fetchvia-${id}`;
    this.ticket = ticket;
    // Another process may have served such a page.
    this.hasStrangers = lent.ticket !== undefined;
    // Processes of some platforms share nothing but their settings.
    this.key = new ProcessKey(config.signingKey || ticket);
    this.doorkeeper = new Doorkeeper(config, this.loopId, rateStore, () => this.gate.revoked);
    this.resolver = new Resolver(config.timeoutMs, hasIpv6Range(config.denyTargets));
    this.#deadlines = createTimes(config, false);
    this.#sharedDeadlines = createTimes(config, true);
    this.hasLog = log !== undefined;
    this.isEmbedded = lent.isEmbedded === true;
    const parts = this.parts = make(config, { lent, ticket, gate: this.gate });
    this.arrivals = listOf(parts, "arrive");
    this.#begins = listOf(parts, "begin");
    this.#aims = listOf(parts, "aim");
    this.#sinks = [
      ...config.maxConcurrent > 0 ? [(record: RequestRecord) => this.doorkeeper.leave(record)] : [],
      ...listOf(parts, "end"),
      ...log ? [log] : [],
      ...open ? [(record: RequestRecord) => open.delete(record)] : [],
    ];
    this.#open = open;
    this.isPrepared = config.addressForms.length === 0 && !parts.some(({ prepare }) => prepare);
    if (!this.isPrepared) void this.prepare().catch(() => {});
  }

  /** Loads what the settings ask for; most ask for nothing. Requests wait for it. */
  async prepare(): Promise<void> {
    await Promise.all([
      ...this.parts.map((part) => part.prepare?.()),
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
    for (const aim of this.#aims) aim(record, requestOf(exchange).method, target);
  }

  /** Begins the record of a request. */
  begin(method: string): RequestRecord {
    const record = new RequestRecord(method, this.#sinks);
    this.#open?.add(record);
    for (const begin of this.#begins) begin(record);
    return record;
  }
}

/** One function of all parts that have it. */
function listOf<Name extends "arrive" | "begin" | "aim" | "end">(
  parts: readonly Part[],
  name: Name,
): NonNullable<Part[Name]>[] {
  return parts.flatMap((part) => part[name] ? [part[name].bind(part) as NonNullable<Part[Name]>] : []);
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
