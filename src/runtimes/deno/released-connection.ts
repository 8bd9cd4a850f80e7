/**
 * A connection that `Deno.serve` has released, as a `node:stream` stream.
 * @module
 */

import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import { FrameTracker } from "../../wire/websocket/frames.ts";

/** Bytes per read. */
const READ_BYTES = 16_384;
/** How long to wait for the caller to close its side, in milliseconds. */
const LINGER_MS = 1_000;

/** A connection as Deno (2.9) releases it: no half-close, and no TCP keep-alive. */
export interface RawConn {
  read(room: Uint8Array): Promise<number | null>;
  /** Returns the number of bytes written. */
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

/** The stream of a caller's WebSocket. It reads nothing from the connection before it is read itself. */
export class ConnStream extends Duplex {
  readonly #conn: RawConn;
  /** Settles when the caller's handshake is complete. */
  readonly #opened: Promise<void>;
  readonly #room = Buffer.allocUnsafe(READ_BYTES);
  readonly #tracker = new FrameTracker();
  #isClosed = false;

  /** @param head the response head, written first and separately, because Deno parses it too */
  constructor(conn: RawConn, head: Buffer) {
    super({ highWaterMark: READ_BYTES });
    this.#conn = conn;
    this.#opened = writeAll(conn, head);
    this.#opened.catch((error: Error) => this.destroy(error));
    this.once("finish", () => this.destroy());
    // An early error must not end the process; readers still see it.
    this.on("error", () => {});
  }

  override _read(): void {
    void this.#receive().catch((error: Error) => this.destroy(error));
  }

  override _write(chunk: Buffer, _coding: string, done: (error?: Error) => void): void {
    void this.#opened.then(() => writeAll(this.#conn, chunk)).then(() => done(), done);
  }

  /** Waits before closing: a close while bytes arrive would reset the connection and could lose outgoing bytes. */
  override _final(done: () => void): void {
    if (this.#tracker.hasClosed || this.readableEnded) return done();
    const timer = setTimeout(done, LINGER_MS);
    this.once("end", () => {
      clearTimeout(timer);
      done();
    });
    this.once("close", () => clearTimeout(timer));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#close();
    done(error);
  }

  async #receive(): Promise<void> {
    await this.#opened;
    const size = await this.#conn.read(this.#room);
    if (size === null) return void this.push(null);
    // A copy: otherwise each waiting byte could keep a whole buffer.
    const chunk = Buffer.from(this.#room.subarray(0, size));
    this.#tracker.read(chunk);
    this.push(chunk);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#conn.close();
  }
}

async function writeAll(conn: RawConn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await conn.write(bytes.subarray(sent));
}
