/**
 * A received request for the core, and its body.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Continuation, Interim } from "../../core/interim.ts";
import type { Bonds, Incoming } from "../../core/runtime.ts";
import { Cancellation } from "../../core/http/cancellation.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { Fields } from "../../core/http/fields.ts";
import { FlowBody } from "../../core/http/flow.ts";
import { hasToken, readUpgrade } from "../../core/http/headers.ts";
import type { Decoder } from "../codec/decoder.ts";
import { createDecoder } from "../codec/framing.ts";
import { trim } from "../codec/head.ts";
import { part } from "../codec/pieces.ts";
import { type Framing, type RequestHead } from "./request-head.ts";

/** How the body is read. */
export interface BodySource {
  /** The body is wanted; with the first call, a caller that waits for a 100 may send it. */
  resume(): void;
  pause(): void;
  /** Nobody wants the rest. */
  cancel(): void;
}

/** A request whose body may still arrive. */
export class ReceivedRequest implements Incoming {
  readonly method: string;
  /** The request target as received; by https, a path becomes an absolute address, which names the scheme. */
  readonly url: string;
  readonly headers: Fields;
  /** False for HTTP/1.0. */
  readonly isCurrent: boolean;
  readonly body: FlowBody | null;
  readonly bonds: Bonds | undefined;
  /** Present until the response begins, where the caller takes any: HTTP/1.0 has none. */
  sendInterim: ((interim: Interim) => boolean) | undefined;
  /** Called when the caller sends a body for which it need not wait. */
  onBody: (() => void) | undefined;
  /** Called when the caller is told to send it, for capture. */
  onContinue: (() => void) | undefined;
  readonly signal: Cancellation = new Cancellation();
  /** True while its caller waits for a 100 before it sends the body (RFC 9110 §10.1.1). */
  #awaitsContinue: boolean;
  readonly #fieldLines: string;
  readonly #decoder: Decoder | undefined;
  /** True once the whole request has arrived. */
  isReceived: boolean;
  /** True if its end can't be found any more. */
  isBroken = false;

  /** @param source absent where there is no body */
  constructor(head: RequestHead, framing: Framing, isSecure: boolean, source?: BodySource, bonds?: Bonds) {
    const { method, url, headers, isCurrent, fieldLines } = head;
    this.method = method;
    this.url = isSecure && url.startsWith("/") ? `https://${headers.get("host") ?? ""}${url}` : url;
    this.headers = headers;
    this.bonds = bonds;
    this.isCurrent = isCurrent;
    this.#fieldLines = fieldLines;
    this.isReceived = framing === 0;
    this.#decoder = this.isReceived ? undefined : createDecoder(framing);
    this.body = source && !this.isReceived ? new FlowBody(source) : null;
    if (this.body) this.body.announced = headers.get("trailer") ?? undefined;
    this.#awaitsContinue = !this.isReceived && isCurrent &&
      headers.get("expect")?.toLowerCase() === "100-continue";
  }

  /** True if the connection may be used again behind the response (RFC 9112 §9.3). */
  get keepsConnection(): boolean {
    if (this.isBroken) return false;
    const options = this.headers.get("connection");
    return this.isCurrent ? options === null || !hasToken(options, "close") : hasToken(options, "keep-alive");
  }

  /**
   * True if the connection may be used again behind a response of this status. Not if the caller still waits for a 100, which
   * would be read as the next response; nor if bytes of another protocol may follow that was refused. A login may go on where
   * none have come.
   */
  mayGoOn(status: number, isWhole: boolean): boolean {
    this.sendInterim = undefined;
    const hasWaited = this.endWait();
    const maySwitch = readUpgrade(this.headers) !== undefined && (status !== 401 || !isWhole);
    return this.keepsConnection && !hasWaited && !maySwitch;
  }

  get fieldBytes(): number {
    return this.headers.bytes;
  }

  /** Names as they stood on the wire, and values, in turns. */
  get lines(): readonly string[] {
    const lines = this.#fieldLines.split("\r\n").filter(Boolean);
    return lines.flatMap((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), trim(line, colon + 1, line.length)];
    });
  }

  /** True if its caller takes fields behind the body of the response (RFC 9110 §10.1.4). HTTP/1.0 has no chunks. */
  get takesTrailers(): boolean {
    return this.isCurrent && hasToken(this.headers.get("te"), "trailers");
  }

  get isAwaited(): boolean {
    return this.#awaitsContinue;
  }

  get continuation(): Continuation | undefined {
    return this.#awaitsContinue ? this : undefined;
  }

  /** Whether its caller has waited for a 100 until now. It need not wait any more. */
  endWait(): boolean {
    const hasWaited = this.#awaitsContinue;
    this.#awaitsContinue = false;
    return hasWaited;
  }

  /** Takes bytes of the body, and returns those behind it. */
  receive(bytes: Buffer): Buffer {
    const decoder = this.#decoder;
    if (!decoder) return bytes;
    // Whoever sends its body waits for nothing.
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

  /** The caller has left. */
  leave(failure: Error): void {
    this.sendInterim = undefined;
    if (!this.isReceived) this.body?.end(failure);
    this.signal.abort(failure);
  }
}
