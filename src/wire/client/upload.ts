/**
 * Writes and frames the request body (RFC 9112 §6 and §7.1).
 * @module
 */

import { clearTimeout, setTimeout } from "node:timers";
import type { Continuation } from "../../core/interim.ts";
import type { Outgoing } from "../../core/runtime.ts";
import { type Body, isStreaming } from "../../core/http/body.ts";
import type { FlowBody } from "../../core/http/flow.ts";
import type { Sink } from "../../core/http/flow-pipe.ts";
import { passedNames } from "../../core/http/trailers.ts";
import { formatEnd, writeChunk } from "../codec/chunk.ts";
import type { Wire } from "../contract.ts";

/** Methods that send `Content-Length: 0` without a body, because servers expect one (RFC 9110 §8.6). */
const BODY_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
/** A target that is asked whether it wants the body, and is silent for so many milliseconds, is sent it. */
const SILENCE_MS = 1_000;
/** Chunks from this many bytes on are sent together with the next ones: the same body has more of them. */
const LARGE_BYTES = 32_768;

/** The field lines for the body's framing, and what asks for it; empty if the headers contain the length or none is needed. */
export function formatFraming({ method, headers, body, continuation }: Outgoing): string {
  const asks = continuation?.isAwaited ? "expect: 100-continue\r\n" : "";
  if (headers.has("content-length")) return asks;
  if (body !== null) return `${asks}transfer-encoding: chunked\r\n${announce(body)}`;
  return BODY_METHODS.has(method) ? "content-length: 0\r\n" : "";
}

/** Trailers are announced with the chunks that they follow (RFC 9110 §6.6.2), and end with them at this hop. */
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
  /** Begins it, while the target is asked whether it wants it (RFC 9110 §10.1.1). */
  #begin: (() => void) | undefined;
  #silence: NodeJS.Timeout | undefined;
  #onDrain: (() => void) | undefined;
  #onClose: (() => void) | undefined;

  constructor({ headers }: Outgoing, wire: Wire, watch: UploadWatch) {
    const length = headers.get("content-length");
    this.#left = length === null ? undefined : Number(length);
    this.#wire = wire;
    this.#watch = watch;
  }

  /** False once the system has taken all that will be written. */
  get isUnderWay(): boolean {
    return !this.isOver || this.#wire.writableLength > 0;
  }

  /** A number that grows with the bytes that the system has taken. */
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
    this.destroy(new Error("body is longer than its length"));
    return false;
  }

  end(last?: Uint8Array): void {
    if (last) this.write(last);
    if (this.isOver) return;
    if (this.#left === undefined) this.#wire.write(formatEnd(this.#body), "latin1");
    if (this.#left) return this.destroy(new Error("body is shorter than its length"));
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

  /** Takes a body: at once, or when the target wants it, its caller waits no more, or nobody says anything. */
  take(body: FlowBody, continuation: Continuation | undefined): void {
    this.#body = body;
    if (!continuation?.isAwaited) return body.pipe(this);
    this.#begin = () => body.pipe(this);
    this.#silence = setTimeout(() => this.wanted(), SILENCE_MS);
    continuation.onBody = () => this.wanted();
  }

  /** The body is wanted. It begins unless it has. */
  wanted(): void {
    this.#endWait()?.();
  }

  /** The target has answered. True if it did not want the body, which is not sent any more then. */
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

  /** The connection accepts nothing any more. */
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
