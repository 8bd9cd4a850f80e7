/**
 * A TCP connection of Deno (2.9) as a `node:stream` stream, used below a `node:tls` connection.
 * @module
 */

import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import type { Conn } from "./wire.ts";

/** Bytes per read. */
const READ_BYTES = 65_536;

/** A pending write. */
interface Write {
  chunk: Buffer;
}

/** The stream. `node:tls` reads without a limit, so reading is stopped here when the reader of the TLS stream pauses. */
export class Carrier extends Duplex {
  readonly #conn: Conn;
  readonly #room = new Uint8Array(READ_BYTES);
  #isHeld = false;
  /** True if a read was requested while the stream was held. */
  #isWanted = false;
  /** Bytes that the system has taken. */
  takenBytes = 0;
  /** The caller's IP address; `undefined` after a reset, as on a `node:net` socket. */
  remoteAddress: string | undefined;

  constructor(conn: Conn, address: string) {
    super({ highWaterMark: READ_BYTES });
    this.#conn = conn;
    this.remoteAddress = address;
    conn.setNoDelay?.(true);
    // An early error must not end the process; TLS still sees it.
    this.on("error", () => {});
  }

  /** Stops reading. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Resumes reading. */
  goOn(): void {
    this.#isHeld = false;
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this._read();
  }

  override _read(): void {
    if (this.#isHeld) this.#isWanted = true;
    else {this.#conn.read(this.#room).then((size) =>
        this.#hand(size), (failure: Error) =>
        this.#fail(failure));}
  }

  override _write(chunk: Buffer, _coding: string, done: (failure?: Error) => void): void {
    this.#send(chunk, done);
  }

  /** Sends the TLS records of one turn together. */
  override _writev(writes: Write[], done: (failure?: Error) => void): void {
    this.#send(Buffer.concat(writes.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.#conn.closeWrite().then(() => done(), () => done());
  }

  override _destroy(failure: Error | null, done: (failure: Error | null) => void): void {
    this.#conn.close();
    done(failure);
  }

  /** Pushes a copy, because the memory is reused. */
  #hand(size: number | null): void {
    this.push(size === null ? null : Buffer.from(this.#room.subarray(0, size)));
  }

  #fail(failure: Error): void {
    this.remoteAddress = undefined;
    this.destroy(failure);
  }

  #send(bytes: Uint8Array, done: (failure?: Error) => void): void {
    const onTaken = (size: number) => {
      this.takenBytes += size;
      if (size < bytes.length) this.#send(bytes.subarray(size), done);
      else done();
    };
    this.#conn.write(bytes).then(onTaken, done);
  }
}
