/**
 * A TCP connection of Deno (2.9) whose first bytes have been read.
 * @module
 */

import type { Conn } from "./wire.ts";

/** Bytes to read at first: what fits is in the room of a ClientHello. */
const FIRST_BYTES = 4_096;

/**
 * Reads the first bytes of a connection.
 *
 * @param limitMs after this many milliseconds without a byte, the connection is closed
 * @returns the bytes; `undefined` where there are none: then the connection is closed
 */
export async function readFirst(conn: Conn, limitMs: number): Promise<Uint8Array | undefined> {
  const room = new Uint8Array(FIRST_BYTES);
  let isOpen = true;
  const close = () => {
    if (isOpen) conn.close();
    isOpen = false;
  };
  const timer = setTimeout(close, limitMs);
  const size = await conn.read(room).catch(() => null);
  clearTimeout(timer);
  if (size && isOpen) return room.subarray(0, size);
  close();
  return undefined;
}

/** A connection that gives bytes which have been read before those that are still to come. */
export class StartedConn implements Conn {
  readonly #conn: Conn;
  #first: Uint8Array;

  constructor(conn: Conn, first: Uint8Array) {
    this.#conn = conn;
    this.#first = first;
  }

  read(room: Uint8Array): Promise<number | null> {
    const first = this.#first.subarray(0, room.length);
    if (first.length === 0) return this.#conn.read(room);
    this.#first = this.#first.subarray(first.length);
    room.set(first);
    return Promise.resolve(first.length);
  }

  write(bytes: Uint8Array): Promise<number> {
    return this.#conn.write(bytes);
  }

  closeWrite(): Promise<void> {
    return this.#conn.closeWrite();
  }

  close(): void {
    this.#conn.close();
  }

  setNoDelay(isOn: boolean): void {
    this.#conn.setNoDelay?.(isOn);
  }
}
