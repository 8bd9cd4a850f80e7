/**
 * Writes and frames the request body (RFC 9112 §6 and §7.1).
 * @module
 */

import type { Continuation } from "../../exchange/interim.ts";
import type { Outgoing } from "../../exchange/runtime.ts";
import type { FlowBody } from "../../http/flow.ts";
import type { Sink } from "../../http/flow-pipe.ts";
import { formatEnd, writeChunk } from "./chunk.ts";
import { Expectation } from "./expectation.ts";
import type { Wire } from "./wire.ts";

/** Methods that send `Content-Length: 0` without a body, because servers expect one (RFC 9110 §8.6). */
const BODY_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
/** Chunks from this many bytes on are sent together with the next ones: the same body has more of them. */
const LARGE_BYTES = 32_768;

/** The field lines for the body's framing, and what asks for it; empty if the headers contain the length or none is needed. */
export function formatFraming({ method, headers, body, continuation }: Outgoing): string {
  const asks = continuation?.isAwaited ? "expect: 100-continue\r\n" : "";
  if (headers.has("content-length")) return asks;
  if (body !== null) return `${asks}transfer-encoding: chunked\r\n`;
  return BODY_METHODS.has(method) ? "content-length: 0\r\n" : "";
}

/** The listener of an upload. */
export interface UploadWatch {
  onWhole(): void;
  onFailure(failure: Error): void;
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
  #expectation: Expectation | undefined;
  #onDrain: (() => void) | undefined;
  #onClose: (() => void) | undefined;

  constructor({ headers }: Outgoing, wire: Wire, watch: UploadWatch) {
    const length = headers.get("content-length");
    this.#left = length === null ? undefined : Number(length);
    this.#wire = wire;
    this.#watch = watch;
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
    if (this.#left === undefined) this.#wire.write(formatEnd(this.#body), "latin1");
    if (this.#left) return this.destroy(new Error("body is shorter than its length"));
    this.#over();
    this.#watch.onWhole();
  }

  destroy(failure: Error): void {
    this.#over();
    this.#watch.onFailure(failure);
  }

  on(event: "drain" | "close", listener: () => void): void {
    if (event === "drain") this.#onDrain = listener;
    else this.#onClose = listener;
  }

  /** Takes a body: at once, or when the target wants it. */
  take(body: FlowBody, continuation: Continuation | undefined): void {
    this.#body = body;
    if (continuation?.isAwaited) this.#expectation = new Expectation(continuation, () => body.pipe(this));
    else body.pipe(this);
  }

  /** The target wants the body. */
  wanted(): void {
    this.#expectation?.meet();
  }

  /** The target has answered. True if it did not want the body, which is not sent any more then. */
  refused(): boolean {
    const isRefused = this.#expectation?.end() === true;
    if (isRefused) this.#over();
    return isRefused;
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
    this.#expectation?.end();
    this.onOver?.();
  }
}
