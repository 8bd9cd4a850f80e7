/**
 * A side of a WebSocket whose bytes pass as they are: frames, extensions, pings and close codes stay untouched.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { encodeClose, encodeFrame, FrameTracker, OPCODES } from "./websocket-frames.ts";
import type { Side, SideListener } from "./websocket-join.ts";

/** A connection past its handshake. */
export class ByteSide implements Side<Buffer<ArrayBuffer>> {
  readonly #socket: Socket;
  readonly #takesMasked: boolean;
  readonly #tracker = new FrameTracker();
  /** A Close frame of the proxy's own, which waits for the end of the frame that passes. */
  #farewell: Buffer | undefined;
  #hasLeft = false;

  /** @param takesMasked whether it takes the frames of a client */
  constructor(socket: Socket, takesMasked: boolean) {
    this.#socket = socket;
    this.#takesMasked = takesMasked;
  }

  get hasClosed(): boolean {
    return this.#tracker.hasClosed || this.#hasLeft;
  }

  start(listener: SideListener<Buffer<ArrayBuffer>>): void {
    readSocket(this.#socket, listener, listener.onData);
  }

  send(chunk: Buffer<ArrayBuffer>): boolean {
    if (this.#hasLeft || this.#socket.destroyed) return true;
    const end = this.#tracker.read(chunk);
    if (!this.#farewell || end < 0) return this.#socket.write(chunk);
    this.#socket.write(chunk.subarray(0, end));
    this.#sayFarewell(this.#farewell);
    return true;
  }

  close(code: number | undefined, reason: string): void {
    if (this.hasClosed || this.#socket.writableEnded) return;
    this.#farewell = encodeFrame(OPCODES.close, encodeClose(code, reason), this.#takesMasked);
    if (this.#tracker.isBetween) this.#sayFarewell(this.#farewell);
  }

  end(): void {
    // Half a frame can't be ended.
    if (this.#farewell && !this.#hasLeft) this.#socket.destroy();
    else this.#socket.end();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #sayFarewell(farewell: Buffer): void {
    this.#hasLeft = true;
    this.#socket.end(farewell);
  }
}

/** Reads a connection for its side. */
export function readSocket(
  socket: Socket,
  { onDrain, onEnd, onGone }: Pick<SideListener<never>, "onDrain" | "onEnd" | "onGone">,
  onChunk: (chunk: Buffer<ArrayBuffer>) => void,
): void {
  let hasEnded = false;
  const end = (error?: Error | null) => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(error ?? undefined);
  };
  socket.on("data", onChunk).on("drain", onDrain).once("end", () => end()).once("error", end);
  // It may have ended before anyone asked.
  if (socket.readableEnded || socket.destroyed) end(socket.errored);
  if (socket.destroyed) return onGone();
  socket.once("close", () => {
    end();
    onGone();
  });
  socket.resume();
}
