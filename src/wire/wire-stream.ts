/**
 * A connection as a stream of `node:stream`, once it speaks another protocol.
 * @module
 */

import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { CallerWire, Wire } from "./contract.ts";

/** Bytes that the stream buffers in each direction. */
const BUFFERED_BYTES = 65_536;

/** The stream. It reads nothing before it is read itself. */
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

  /** As that of a socket, where there is one. */
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
    // Some wires send at once, and then tell nothing. Sockets of `node:net` tell only what they have not taken at once.
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
    // Behind bytes that nobody takes an end would wait for ever.
    if (this.#wire.writableLength > 0) this.#wire.cut?.();
    this.#wire.destroy();
    done(error);
  }
}
