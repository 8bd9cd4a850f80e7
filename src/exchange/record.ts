/**
 * The record of one request: the source of its log entry and of the metrics.
 * @module
 */

import type { Shared } from "./runtime.ts";
import type { ErrorCode } from "../http/error.ts";
import type { Selector } from "../address/selector.ts";

/** Takes a record once its request is over, however it ended. */
export type RecordSink = (record: RequestRecord) => void;

/** One request from its arrival to the last byte of its answer. Never a query, a credential or a body. */
export class RequestRecord {
  /** When the request arrived, in Unix milliseconds. */
  readonly time: number = Date.now();
  readonly method: string;
  /** The caller's IP address, `""` when unknown. */
  caller = "";
  selector: Selector | undefined;
  /** Host and port of the target. */
  target: string | undefined;
  /** What goes out, without a query, while there is a console: for its live traffic, never for the log. */
  aim: { method: string; address: string } | undefined;
  status = 0;
  bytesIn = 0;
  bytesOut = 0;
  /** Milliseconds until the head of the answer was there, and until the end. */
  headMs = 0;
  totalMs = 0;
  /** Why the proxy answered itself, or why the body was cut. */
  error: ErrorCode | undefined;
  /** The setting that would have allowed it; for live traffic only. */
  setting: string | undefined;
  /** The failure behind that; for the log only. */
  cause: unknown;
  /** True while a body is on its way that will end the record. */
  isStreaming = false;

  readonly #start = performance.now();
  readonly #sinks: readonly RecordSink[];
  #isOver = false;
  #id = "";

  constructor(method: string, sinks: readonly RecordSink[]) {
    this.method = method;
    this.#sinks = sinks;
  }

  /** Names the request, by 48 random bits; made when it is asked for, so that it costs nothing where there is no log. */
  get id(): string {
    return this.#id ||= crypto.randomUUID().slice(-12);
  }

  /** Notes the head of the answer; an answer without a stream is over with it. */
  answered(status: number, bytes: number): void {
    this.status = status;
    this.headMs = this.#elapsed();
    if (this.isStreaming) return;
    this.bytesOut += bytes;
    this.end();
  }

  /** Ends the record; the first call counts. A body that is over before the head is noted leaves that to `answered`. */
  end(): void {
    if (this.#isOver) return;
    if (this.status === 0) {
      this.isStreaming = false;
      return;
    }
    this.#isOver = true;
    this.totalMs = this.#elapsed();
    for (const sink of this.#sinks) sink(this);
  }

  #elapsed(): number {
    return Math.round((performance.now() - this.#start) * 10) / 10;
  }
}

/**
 * What a proxy is made with, beside its settings.
 *
 * @internal
 */
export interface Parts extends Shared {
  /** Takes what is known of each request when it is over. */
  log?: RecordSink | undefined;
}
