/**
 * What one proxy keeps between requests; another process of it needs none of that.
 * @module
 */

import { Doorkeeper } from "./admission.ts";
import type { Config } from "./config.ts";
import { Traffic } from "./console/traffic.ts";
import { Deadlines } from "./deadline.ts";
import { Metrics } from "./metrics.ts";
import { type RecordSink, RequestRecord } from "./record.ts";
import { Resolver } from "./resolve.ts";

/** Counters, remembered addresses, and the proxy's own id. */
export class State {
  /** This proxy's id in `CDN-Loop` (RFC 8586). */
  readonly loopId = `fetchvia-${crypto.randomUUID()}`;
  readonly doorkeeper: Doorkeeper;
  readonly resolver: Resolver;
  /** The times in which targets must answer. */
  readonly deadlines: Deadlines;
  /** `undefined` where the settings don't ask for it. */
  readonly metrics: Metrics | undefined;
  /** `undefined` where there is no console. */
  readonly traffic: Traffic | undefined;
  /** True where each request leaves a line that its id leads to. */
  readonly hasLog: boolean;
  readonly #sinks: RecordSink[];

  constructor(config: Config, log?: RecordSink) {
    this.doorkeeper = new Doorkeeper(config, this.loopId);
    this.resolver = new Resolver(config.timeoutMs);
    this.deadlines = new Deadlines(config.timeoutMs);
    const metrics = config.metrics ? new Metrics() : undefined;
    this.metrics = metrics;
    const traffic = config.console ? new Traffic() : undefined;
    this.traffic = traffic;
    this.#sinks = [];
    if (config.maxConcurrent > 0) this.#sinks.push((record) => this.doorkeeper.leave(record));
    if (metrics) this.#sinks.push((record) => metrics.end(record));
    if (traffic) this.#sinks.push((record) => traffic.note(record));
    this.hasLog = log !== undefined;
    if (log) this.#sinks.push(log);
  }

  /** Begins the record of a request. */
  begin(method: string): RequestRecord {
    this.metrics?.begin();
    return new RequestRecord(method, this.#sinks);
  }
}
