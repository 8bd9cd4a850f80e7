/**
 * A received request for the core, and its body.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Continuation, Interim } from "../../core/interim.ts";
import type { Bonds, Incoming } from "../../core/runtime.ts";
import { Cancellation } from "../../core/http/cancellation.ts";
import { ProxyError } from "../../core/http/error.ts";
import { Fields } from "../../core/http/fields.ts";
import { FlowBody } from "../../core/http/flow.ts";
import { hasToken, readUpgrade } from "../../core/http/headers.ts";
import type { Decoder } from "../codec/decoder.ts";
import { createDecoder } from "../codec/framing.ts";
import { trim } from "../codec/head.ts";
import { part } from "../codec/buffers.ts";
import { type Framing, type RequestHead } from "./request-head.ts";

/** Controls how the body is read from the connection. */
export interface BodySource {
  /** The body is wanted. On the first call, a caller that waits for a 100 is told to send it. */
  resume(): void;
  pause(): void;
  /** The rest of the body is not wanted. */
  cancel(): void;
}

/** How a request arrived: over TLS, or in plain http at a server that speaks https. */
interface Arrival {
  readonly isSecure: boolean;
  readonly needsHttps?: boolean;
}

/** What is answered where a head can't be read. */
export function createUnread(fault: ProxyError, arrival: Arrival): ReceivedRequest {
  const head = { method: "-", url: "/", isCurrent: true, headers: new Fields(), fieldLines: "" };
  return Object.assign(new ReceivedRequest(head, 0, arrival), { fault });
}

/** A request whose body may still arrive. */
export class ReceivedRequest implements Incoming {
  readonly method: string;
  /** The request target as received; with TLS, a path becomes an absolute https address. */
  readonly url: string;
  readonly isAbsolute: boolean;
  readonly headers: Fields;
  readonly needsHttps: boolean;
  /** False for HTTP/1.0. */
  readonly isCurrent: boolean;
  readonly body: FlowBody | null;
  readonly bonds: Bonds | undefined;
  /** Present until the response begins, unless the caller speaks HTTP/1.0, which has no interim responses. */
  sendInterim: ((interim: Interim) => boolean) | undefined;
  /** Called when the caller starts to send the body without waiting for the 100 any longer. */
  onBody: (() => void) | undefined;
  /** Called, for capture, when the caller is told to send the body. */
  onContinue: (() => void) | undefined;
  readonly signal: Cancellation = new Cancellation();
  /** True while the caller waits for a 100 before it sends the body (RFC 9110 §10.1.1). */
  #awaitsContinue: boolean;
  readonly #fieldLines: string;
  readonly #decoder: Decoder | undefined;
  /** True once the whole request has arrived. */
  isReceived: boolean;
  /** Why the head can't be read. */
  fault: ProxyError | undefined;
  /** True if the framing is broken, so the end of the request can't be found. */
  isBroken = false;

  /** @param source absent for a request without a body */
  constructor(
    head: RequestHead,
    framing: Framing,
    { isSecure, needsHttps = false }: Arrival,
    source?: BodySource,
    bonds?: Bonds,
  ) {
    const { method, url, headers, isCurrent, fieldLines } = head;
    this.method = method;
    this.isAbsolute = !url.startsWith("/") && url !== "*";
    this.url = isSecure && url.startsWith("/") ? `https://${headers.get("host") ?? ""}${url}` : url;
    this.needsHttps = needsHttps;
    this.headers = headers;
    this.bonds = bonds;
    this.isCurrent = isCurrent;
    this.#fieldLines = fieldLines;
    this.isReceived = framing === 0;
    this.#decoder = this.isReceived ? undefined : createDecoder(framing);
    this.body = source && !this.isReceived ? new FlowBody(source) : null;
    if (this.body) this.body.announced = headers.get("trailer") ?? undefined;
    this.#awaitsContinue = !this.isReceived && isCurrent && hasToken(headers.get("expect"), "100-continue");
  }

  /** True if the connection may be used again after the response (RFC 9112 §9.3). */
  get keepsConnection(): boolean {
    if (this.isBroken || this.needsHttps || this.fault) return false;
    const options = this.headers.get("connection");
    return !hasToken(options, "close") && (this.isCurrent || hasToken(options, "keep-alive"));
  }

  /**
   * True if the connection may be used again after a response of this status. False if the caller still waits for a 100:
   * sent now, it would be read as the next response. False too if bytes of a refused upgrade may follow, unless the status
   * is 401 and none have arrived: then a login may continue.
   */
  mayGoOn(status: number, isWhole: boolean): boolean {
    this.sendInterim = undefined;
    const hasWaited = this.endWait();
    const maySwitch = this.#asksToSwitch && (status !== 401 || !isWhole);
    return this.keepsConnection && !hasWaited && !maySwitch;
  }

  get #asksToSwitch(): boolean {
    return readUpgrade(this.headers) !== undefined;
  }

  /** True if nothing of it can still arrive: neither its body, nor bytes of an upgrade or a head that was refused. */
  get isWhole(): boolean {
    return this.isReceived && !this.fault && !this.#asksToSwitch;
  }

  get httpVersion(): string {
    return this.isCurrent ? "HTTP/1.1" : "HTTP/1.0";
  }

  get fieldBytes(): number {
    return this.headers.bytes;
  }

  /** Alternating names, spelled as received, and values. */
  get lines(): readonly string[] {
    const lines = this.#fieldLines.split("\r\n").filter(Boolean);
    return lines.flatMap((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), trim(line, colon + 1, line.length)];
    });
  }

  /** True if the caller accepts trailers (RFC 9110 §10.1.4); false for HTTP/1.0, which has no chunks. */
  get takesTrailers(): boolean {
    return this.isCurrent && hasToken(this.headers.get("te"), "trailers");
  }

  get isAwaited(): boolean {
    return this.#awaitsContinue;
  }

  get continuation(): Continuation | undefined {
    return this.#awaitsContinue ? this : undefined;
  }

  /** Ends the caller's wait for a 100; true if it was waiting until now. */
  endWait(): boolean {
    const hasWaited = this.#awaitsContinue;
    this.#awaitsContinue = false;
    return hasWaited;
  }

  /** Takes bytes of the body, and returns the bytes after it. */
  receive(bytes: Buffer): Buffer {
    const decoder = this.#decoder;
    if (!decoder) return bytes;
    // A caller that sends its body is no longer waiting for a 100.
    if (this.endWait()) this.onBody?.();
    const { body } = this;
    try {
      const rest = decoder.decode(bytes, (chunk, isLast) => body?.push(chunk, isLast));
      this.isReceived = decoder.isOver;
      if (body && this.isReceived) {
        body.trailers = decoder.trailers;
        body.end();
      }
      return rest;
    } catch (cause) {
      this.isBroken = true;
      const message = "Cannot read the request body: its framing is not valid HTTP/1.1";
      body?.end(new ProxyError("bad_request", message, { cause }));
      return part(bytes, bytes.length);
    }
  }

  /** The caller has gone: ends the body and aborts the request. */
  leave(failure: Error): void {
    this.sendInterim = undefined;
    if (!this.isReceived) this.body?.end(failure);
    this.signal.abort(failure);
  }
}
