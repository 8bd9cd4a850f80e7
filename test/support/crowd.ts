/**
 * Many callers who are slow on purpose, and what they get.
 * @module
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { waitFor } from "./wait.ts";

/** Callers who write one byte at a time. */
export class Crowd {
  readonly #sockets: Socket[];
  readonly #timer: NodeJS.Timeout;
  #sent = 0;

  constructor(sockets: Socket[], bytes: (index: number) => string) {
    this.#sockets = sockets;
    this.#timer = setInterval(() => {
      const byte = bytes(this.#sent);
      this.#sent += 1;
      for (const socket of sockets) socket.write(byte);
    }, 1_000);
  }

  /** How many are still connected. */
  get size(): number {
    return this.#sockets.filter((socket) => !socket.destroyed).length;
  }

  /** Waits until each has written so many bytes. */
  hasWritten(count: number): Promise<void> {
    return waitFor(() => expect(this.#sent).toBeGreaterThanOrEqual(count));
  }

  /** Everybody goes. */
  leave(): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Lets so many callers in; each writes `first` at once, and then one byte each second. */
export async function gather(
  port: number,
  size: number,
  first: string,
  bytes: (index: number) => string,
): Promise<Crowd> {
  const sockets = Array.from({ length: size }, () => connect(port, "127.0.0.1"));
  for (const socket of sockets) socket.on("error", () => {});
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) socket.write(first);
  return new Crowd(sockets, bytes);
}
