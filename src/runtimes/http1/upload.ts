/**
 * Writes and frames the request body (RFC 9112 §6 and §7.1).
 * @module
 */

import type { Outgoing } from "../../exchange/runtime.ts";
import type { Sink } from "../../http/flow-pipe.ts";
import type { Wire } from "./wire.ts";

/** Methods that say so where they have no body, because one is expected of them (RFC 9110 §8.6). */
const BODY_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** The field line that says how long the body is, where the headers leave it open. */
export function formatFraming({ method, headers, body }: Outgoing): string {
  if (headers.has("content-length")) return "";
  if (body !== null) return "transfer-encoding: chunked\r\n";
  return BODY_METHODS.has(method) ? "content-length: 0\r\n" : "";
}

/** Who is told of an upload. */
export interface UploadWatch {
  onWhole(): void;
  onFailure(failure: Error): void;
}

/** The body of one request on its way out. */
export class Upload implements Sink {
  readonly #wire: Wire;
  readonly #watch: UploadWatch;
  /** Bytes of the body that have been written. */
  size = 0;
  /** Bytes that are still to be written; `undefined` where the body is chunked. */
  #left: number | undefined;
  /** Nothing more of it will be written. */
  isOver = false;
  /** Called when it is over: written whole, broken off, or not wanted any more. */
  onOver: (() => void) | undefined;
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
    if (this.#left === undefined) {
      wire.cork();
      wire.write(`${chunk.length.toString(16)}\r\n`, "latin1");
      wire.write(chunk);
      const isWanted = wire.write("\r\n", "latin1");
      wire.uncork();
      return isWanted;
    }
    this.#left -= chunk.length;
    if (this.#left >= 0) return wire.write(chunk);
    this.destroy(new Error("body is longer than its length"));
    return false;
  }

  end(last?: Uint8Array): void {
    if (last) this.write(last);
    if (this.#left === undefined) this.#wire.write("0\r\n\r\n", "latin1");
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

  /** The connection takes more. */
  drained(): void {
    this.#onDrain?.();
  }

  /** The connection takes nothing any more. */
  closed(): void {
    this.#over();
    this.#onClose?.();
  }

  #over(): void {
    this.isOver = true;
    this.onOver?.();
  }
}
