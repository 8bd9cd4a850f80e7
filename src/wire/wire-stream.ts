/**
 * A connection as a `node:stream` stream, once it has switched to another protocol.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { CallerWire, Wire } from "./contract.ts";

/** High-water mark of the stream in each direction, in bytes. */
const BUFFERED_BYTES = 65_536;

/** A wire as a stream. It reads nothing from the wire before it is read itself. */
export class WireStream extends Duplex {
  readonly #wire: Wire & Partial<Pick<CallerWire, "finish" | "cut"> & Pick<Socket, "end" | "setKeepAlive">>;
  #onSent: (() => void) | undefined;

  /** @param rest bytes that have already arrived */
  constructor(wire: Wire, rest: Buffer | undefined) {
    super({ highWaterMark: BUFFERED_BYTES });
    this.#wire = wire;
    wire.pause();
    // An early error must not end the process; readers still see it.
    this.on("error", () => {});
    if (rest?.length) this.push(rest);
  }

  onBytes(bytes: Buffer): void {
    if (!this.push(bytes)) this.#wire.pause();
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

  /** Like `setKeepAlive` of a socket; without effect on wires that lack it. */
  setKeepAlive(isOn: boolean, afterMs: number): this {
    this.#wire.setKeepAlive?.(isOn, afterMs);
    return this;
  }

  override _read(): void {
    this.#wire.resume();
  }

  override _write(chunk: Buffer, _coding: string, done: () => void): void {
    this.#onSent = done;
    const wire = this.#wire;
    const isTaken = wire.write(chunk);
    // Some wires send at once and then report no drain. `node:net` sockets report it only after `write` returned false.
    if (wire.writableLength === 0 || (isTaken && !wire.finish)) this.onDrain();
  }

  override _final(done: () => void): void {
    const wire = this.#wire;
    if (wire.finish) wire.finish(false);
    else if (wire.end) wire.end();
    else wire.destroy();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A clean end would wait for ever behind bytes that the peer does not take.
    if (this.#wire.writableLength > 0) this.#wire.cut?.();
    this.#wire.destroy();
    done(error);
  }
}
