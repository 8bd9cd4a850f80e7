/**
 * The record of one request: the source of its log entry and of the metrics; and the requests that are open.
 * @module
 */

import type { Address, Selector } from "../address/address.ts";
import type { ErrorCode, ProxyError } from "../http/error.ts";
import { OpenList, type Placed } from "../http/open-list.ts";
import type { Reply } from "../http/reply.ts";
import type { Interim } from "../interim.ts";
import type { Send } from "../runtime.ts";
import type { SocketMessage } from "../socket-message.ts";

/** The status in the log for a request that was cut before its response headers. */
const CUT_STATUS = 503;

/** Receives each record when its request has ended, in whatever way. */
export type RecordSink = (record: RequestRecord) => void;

/** The outgoing request: its method (an `arg` has its own), and its address with a bare `?` for a query. */
export interface Aim extends Pick<Address, "origin" | "path"> {
  method: string;
}

/** One hop of a request, about which is decided. */
export interface Hop extends Readonly<Aim> {
  /** True for a WebSocket handshake. */
  readonly isSocket: boolean;
}

/** Records a whole request from the events that are reported to it. It changes nothing. */
export interface Recording {
  /** The most bytes that are kept of each WebSocket message, and the most messages of one read. */
  readonly messageBytes: number;
  readonly mostMessages: number;
  /** What the request asks for in the words of its protocol, such as `tools/call add`; `undefined` if that is not known. */
  readonly operation: string | undefined;
  /** The query that went to the target, from its `?` on, with secrets masked; `undefined` without one. */
  readonly query: string | undefined;
  /** The console sent the request: this viewer sees its secrets. */
  own(viewer: string | null): void;
  /** The steps begin. */
  aim(): void;
  /** The addresses of a name are known. */
  lookedUp(): void;
  /** Wraps a sender, so that what it sends is recorded. */
  watch(send: Send): Send;
  readonly onMessage: (message: SocketMessage) => void;
  /** An interim response to the caller. */
  onInterim(interim: Interim): void;
  /** The response to the caller, as it is sent. */
  answer(reply: Reply, method: string): void;
  /** The request is over. */
  end(): void;
}

/** One request from its arrival to the last byte of its response. It never holds a query, a credential or a body. */
export class RequestRecord implements Placed {
  /** When the request arrived, in Unix milliseconds. */
  readonly time: number = Date.now();
  readonly method: string;
  /** The caller's IP address, `""` when unknown. */
  caller = "";
  /** The id of the caller's own token; `undefined` without one. */
  callerId: string | undefined;
  selector: Selector | undefined;
  /** Host and port of the target. */
  target: string | undefined;
  /** For the console's live traffic only; never logged. */
  aim: Aim | undefined;
  /** The hop that the last decision is about; only where a part hears of decisions. */
  hop: Hop | undefined;
  /** What a part let pass, of the last such hop its first refusal: from then on the request gets no key (rule 22.19). */
  pardoned: ProxyError | undefined;
  status = 0;
  bytesIn = 0;
  bytesOut = 0;
  /** Milliseconds until the response headers, and until the end. */
  headMs = 0;
  totalMs = 0;
  /** Why the proxy returned an error, or why the body was cut. */
  error: ErrorCode | undefined;
  /** The refusal that a page of the proxy tells in its own words; absent for one that was thrown. */
  refusal: ProxyError | undefined;
  /** The setting that would have allowed the request; for live traffic only. */
  setting: string | undefined;
  /** The failure behind `error`; for the log only. */
  cause: unknown;
  /** What the message of `error` leaves out; for the log only. */
  reason: string | undefined;
  /** True while a body streams; its end ends the record. */
  isStreaming = false;
  /** Records the whole request; `undefined` if it is not captured. */
  capture: Recording | undefined;
  place = -1;

  readonly #start = performance.now();
  readonly #sinks: readonly RecordSink[];
  #isOver = false;
  #id = "";

  constructor(method: string, sinks: readonly RecordSink[]) {
    this.method = method;
    this.#sinks = sinks;
  }

  /** The request's id: 48 random bits. Made on first use, so it costs nothing without a log. */
  get id(): string {
    return this.#id ||= crypto.randomUUID().slice(-12);
  }

  /** True for a request that is shown to viewers: one without target and error is for the proxy's own pages. */
  get isTraffic(): boolean {
    return this.target !== undefined || this.error !== undefined;
  }

  /** Notes a refusal that a page tells in its own words. */
  refuse(refusal: ProxyError): void {
    this.error = refusal.code;
    this.refusal = refusal;
  }

  /** Notes why the request failed, or its body was cut. */
  fail({ code, cause }: ProxyError): void {
    this.error = code;
    this.cause = cause;
  }

  /** Notes the response headers. A response without a stream ends here. */
  answered(status: number, bytes: number): void {
    this.status = status;
    this.headMs = this.#elapsed();
    if (this.isStreaming) return;
    this.bytesOut += bytes;
    this.#end(this.headMs);
  }

  /**
   * Ends the record; only the first call counts. If the body ends before the headers are noted, `answered` ends the
   * record.
   */
  end(): void {
    if (this.status === 0) this.isStreaming = false;
    else this.#end(this.#elapsed());
  }

  #end(totalMs: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.totalMs = totalMs;
    for (const sink of this.#sinks) sink(this);
  }

  /** Ends the record of a request that the proxy does not finish, because it stops. */
  cut(): void {
    this.error = "proxy_stopped";
    this.reason = undefined;
    this.cause = undefined;
    if (this.status === 0) {
      this.status = CUT_STATUS;
      this.headMs = this.#elapsed();
    }
    this.end();
  }

  #elapsed(): number {
    return Math.round((performance.now() - this.#start) * 10) / 10;
  }
}

/** The records of one proxy that have not ended. A server needs them to cut them; live traffic shows them. */
export class OpenRequests extends OpenList<RequestRecord> {
  /** The records, oldest first. */
  records(): RequestRecord[] {
    return this.values().sort((one, other) => one.time - other.time);
  }

  /**
   * Ends all records with the error `proxy_stopped`, so that each leaves its log line. The connections stay as they
   * are: the process is about to end.
   *
   * @returns the number of requests
   */
  cut(): number {
    const records = this.records();
    for (const record of records) {
      this.delete(record);
      record.cut();
    }
    return records.length;
  }
}
