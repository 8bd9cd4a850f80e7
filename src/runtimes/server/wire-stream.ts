/**
 * A caller's connection as a stream of `node:stream`, once it speaks another protocol.
 * @module
 */

import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import type { CallerWire } from "../http1/wire.ts";

/** Bytes that the stream buffers in each direction. */
const BUFFERED_BYTES = 65_536;

/** The stream. It reads nothing before it is read itself. */
export class WireStream extends Duplex {
  readonly #wire: CallerWire;
  #onSent: (() => void) | undefined;

  /** @param rest bytes that have already arrived */
  constructor(wire: CallerWire, rest: Buffer | undefined) {
    super({ highWaterMark: BUFFERED_BYTES });
    this.#wire = wire;
    wire.pause();
    // An early error must not end the process; readers still see it.
    this.on("error", () => {});
    if (rest?.length) this.push(Buffer.from(rest));
  }

  onBytes(bytes: Buffer): void {
    if (!this.push(Buffer.from(bytes))) this.#wire.pause();
  }

  onDrain(): void {
    const done = this.#onSent;
    this.#onSent = undefined;
    done?.();
  }

  onClose(failure: Error | undefined): void {
    if (failure) this.destroy(failure);
    else this.push(null);
  }

  override _read(): void {
    this.#wire.resume();
  }

  override _write(chunk: Buffer, _coding: string, done: () => void): void {
    this.#onSent = done;
    this.#wire.write(chunk);
    // Some wires send at once, and then tell nothing.
    if (this.#wire.writableLength === 0) this.onDrain();
  }

  override _final(done: () => void): void {
    this.#wire.finish(false);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Behind bytes that nobody takes an end would wait for ever.
    if (this.#wire.writableLength > 0) this.#wire.cut();
    this.#wire.destroy();
    done(error);
  }
}
