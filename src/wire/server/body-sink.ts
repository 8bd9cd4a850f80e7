/**
 * Writes the streamed body of a response.
 * @module
 */

import type { FlowBody } from "../../core/http/flow.ts";
import type { Sink } from "../../core/http/flow-pipe.ts";
import { formatEnd, writeChunk } from "../codec/chunk.ts";
import type { CallerWire } from "../contract.ts";
import type { Ending } from "./response-head.ts";

/** The listener of a body. */
export interface BodyEvents {
  /** The whole body has been handed to the connection. */
  onWhole(): void;
  /** The body was cut: the response must look incomplete. */
  onCut(): void;
}

/** The destination of one body. */
export class BodySink implements Sink {
  readonly #wire: CallerWire;
  readonly #body: FlowBody;
  readonly #isChunked: boolean;
  readonly #events: BodyEvents;
  /** Bytes still to be written; `Infinity` if the length is unknown. */
  #left: number;
  #isOver = false;
  #onDrain: (() => void) | undefined;
  #onClose: (() => void) | undefined;

  constructor(wire: CallerWire, body: FlowBody, ending: Ending, events: BodyEvents) {
    this.#wire = wire;
    this.#body = body;
    this.#isChunked = ending === "chunked";
    this.#left = typeof ending === "number" ? ending : Infinity;
    this.#events = events;
  }

  get writableLength(): number {
    return this.#wire.writableLength;
  }

  write(chunk: Uint8Array): boolean {
    // An empty chunk would end the body.
    if (this.#isOver || chunk.length === 0) return true;
    this.#left -= chunk.length;
    // Bytes beyond the announced length would be read as the next response.
    if (this.#left < 0) this.destroy();
    else if (!this.#isChunked) return this.#wire.write(chunk);
    else return writeChunk(this.#wire, chunk);
    return true;
  }

  end(last?: Uint8Array): void {
    this.#wire.cork();
    if (last) this.write(last);
    if (this.#isChunked && !this.#isOver) this.#wire.write(formatEnd(this.#body), "latin1");
    this.#wire.uncork();
    if (this.#isOver) return;
    if (this.#left > 0 && this.#left !== Infinity) return this.destroy();
    this.#isOver = true;
    this.#events.onWhole();
  }

  destroy(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onCut();
  }

  on(event: "drain" | "close", listener: () => void): void {
    if (event === "drain") this.#onDrain = listener;
    else this.#onClose = listener;
  }

  /** The connection accepts more. */
  drained(): void {
    this.#onDrain?.();
  }

  /** The connection accepts no more bytes. */
  closed(): void {
    this.#isOver = true;
    this.#onClose?.();
  }
}
