/**
 * The base of WebSocket sides over a connection after its handshake: reading, pausing and ending.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import type { SideListener } from "./join.ts";

/** The part that all sides over connections share. */
export abstract class SocketSide {
  protected readonly socket: Duplex;
  #writtenBytes = 0;

  constructor(socket: Duplex) {
    this.socket = socket;
  }

  get unsentBytes(): number {
    return this.socket.writableLength;
  }

  get takenBytes(): number {
    return this.#writtenBytes - this.socket.writableLength;
  }

  protected write(bytes: Uint8Array): boolean {
    this.#writtenBytes += bytes.length;
    return this.socket.write(bytes);
  }

  /** Starts reading. */
  protected read(
    { onDrain, onEnd, onGone }: Pick<SideListener<never>, "onDrain" | "onEnd" | "onGone">,
    onChunk: (chunk: Buffer<ArrayBuffer>) => void,
  ): void {
    const { socket } = this;
    let hasEnded = false;
    const end = (error?: Error | null) => {
      if (hasEnded) return;
      hasEnded = true;
      onEnd(error ?? undefined);
    };
    socket.on("data", onChunk).on("drain", onDrain).once("end", () => end()).once("error", end);
    // The socket may already have ended.
    if (socket.readableEnded || socket.destroyed) end(socket.errored);
    if (socket.destroyed) return onGone();
    socket.once("close", () => {
      end();
      onGone();
    });
    socket.resume();
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  destroy(): void {
    this.socket.destroy();
  }
}
