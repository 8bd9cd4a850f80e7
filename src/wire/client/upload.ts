/**
 * Writes and frames the request body (RFC 9112 §6 and §7.1).
 * @module
 */

import type { Continuation } from "../../core/interim.ts";
import type { Outgoing } from "../../core/runtime.ts";
import { type Body, isStreaming } from "../../core/http/body.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { FlowBody } from "../../core/http/flow.ts";
import type { Sink } from "../../core/http/flow-pipe.ts";
import { passedNames } from "../../core/http/trailers.ts";
import { formatEnd, writeChunk } from "../codec/chunk.ts";
import type { Wire } from "../contract.ts";

/** Methods that send `Content-Length: 0` without a body, because servers expect one (RFC 9110 §8.6). */
const BODY_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
/** If a target does not answer `Expect: 100-continue` within this many milliseconds, the body is sent anyway. */
const SILENCE_MS = 1_000;
/** So many interim responses begin that time anew: a target that sends more of them waits for the body. */
const MOST_HINTS = 5;
/** Chunks of at least this many bytes are sent together with the next ones, because more of them usually follow. */
const LARGE_BYTES = 32_768;

/** Servers frame what they read, so a length is wrong only where code before the proxy has changed the body. */
const misfit = (how: string) =>
  new ProxyError(
    "internal",
    `Cannot forward the body: it is ${how} than its Content-Length. Remove that field where the body is changed`,
  );

/** The field lines for the body's framing, and `Expect`; empty if the headers contain the length or none is needed. */
export function formatFraming({ method, headers, body, continuation }: Outgoing): string {
  const asks = continuation?.isAwaited ? "expect: 100-continue\r\n" : "";
  if (headers.has("content-length")) return asks;
  if (body !== null) return `${asks}transfer-encoding: chunked\r\n${announce(body)}`;
  return BODY_METHODS.has(method) ? "content-length: 0\r\n" : "";
}

/** The `Trailer` line that announces trailers (RFC 9110 §6.6.2). Like the chunked coding, it applies to this hop only. */
function announce(body: Body): string {
  const names = isStreaming(body) && body.announced && passedNames(body.announced, body);
  return names ? `trailer: ${names}\r\n` : "";
}

/** The listener of an upload. */
export interface UploadWatch {
  onWhole(): void;
  fail(failure: Error): void;
}

/** Writes the body of one request. */
export class Upload implements Sink {
  readonly #wire: Wire;
  readonly #watch: UploadWatch;
  /** Body bytes written so far. */
  size = 0;
  /** Bytes still to be written; `undefined` if the body is chunked. */
  #left: number | undefined;
  /** True once nothing more will be written. */
  isOver = false;
  /** Called when the upload has ended: complete, cut or cancelled. */
  onOver: (() => void) | undefined;
  #body: FlowBody | undefined;
  /** Starts sending the body; present while the target has yet to say whether it wants it (RFC 9110 §10.1.1). */
  #begin: (() => void) | undefined;
  #hints = 0;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #onDrain: (() => void) | undefined;
  #onClose: (() => void) | undefined;

  constructor({ headers }: Outgoing, wire: Wire, watch: UploadWatch) {
    const length = headers.get("content-length");
    this.#left = length === null ? undefined : Number(length);
    this.#wire = wire;
    this.#watch = watch;
  }

  /** False once the system has taken every byte of the upload. */
  get isUnderWay(): boolean {
    return !this.isOver || this.#wire.writableLength > 0;
  }

  /** Roughly the number of body bytes that the system has taken. It grows as long as the system takes more. */
  get progress(): number {
    return this.size - this.#wire.writableLength;
  }

  get writableLength(): number {
    return this.#wire.writableLength;
  }

  write(chunk: Uint8Array): boolean {
    const wire = this.#wire;
    // An empty chunk would end the body.
    if (chunk.length === 0) return true;
    this.size += chunk.length;
    const hasRoom = chunk.length >= LARGE_BYTES && wire.gather?.() === true;
    if (this.#left === undefined) return writeChunk(wire, chunk) || hasRoom;
    this.#left -= chunk.length;
    if (this.#left >= 0) return wire.write(chunk) || hasRoom;
    this.destroy(misfit("longer"));
    return false;
  }

  end(last?: Uint8Array): void {
    if (last) this.write(last);
    if (this.isOver) return;
    if (this.#left === undefined) this.#wire.write(formatEnd(this.#body), "latin1");
    if (this.#left) return this.destroy(misfit("shorter"));
    this.#over();
    this.#watch.onWhole();
  }

  destroy(failure: Error): void {
    this.closed();
    this.#watch.fail(failure);
  }

  on(event: "drain" | "close", listener: () => void): void {
    if (event === "drain") this.#onDrain = listener;
    else this.#onClose = listener;
  }

  /** Sends a body: at once or, after `Expect`, once the target wants it, the caller sends it, or the target stays silent. */
  take(body: FlowBody, continuation: Continuation | undefined): void {
    this.#body = body;
    if (!continuation?.isAwaited) return body.pipe(this);
    this.#begin = () => body.pipe(this);
    this.#wait();
    continuation.onBody = () => this.wanted();
  }

  #wait(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.wanted(), SILENCE_MS);
  }

  /** The target has sent an interim response: by 100 it wants the body, and after any other it is not silent. */
  heard(status: number): void {
    if (status === 100) this.wanted();
    else if (this.#begin && (this.#hints += 1) <= MOST_HINTS) this.#wait();
  }

  /** The body is wanted: starts sending it, unless that has begun. */
  wanted(): void {
    this.#endWait()?.();
  }

  /** The target has answered. True if that was before the body began: then the body is not sent. */
  refused(): boolean {
    const isRefused = this.#begin !== undefined;
    if (isRefused) this.#over();
    return isRefused;
  }

  #endWait(): (() => void) | undefined {
    const begin = this.#begin;
    this.#begin = undefined;
    clearTimeout(this.#silence);
    return begin;
  }

  /** The connection accepts more. */
  drained(): void {
    this.#onDrain?.();
  }

  /** The connection accepts no more bytes. */
  closed(): void {
    this.#over();
    this.#onClose?.();
  }

  #over(): void {
    this.isOver = true;
    this.#endWait();
    this.onOver?.();
  }
}
