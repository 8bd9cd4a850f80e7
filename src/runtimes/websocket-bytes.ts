/**
 * A side of a WebSocket whose bytes pass as they are: frames, extensions, pings and close codes stay untouched.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { encodeClose, encodeFrame, FrameTracker, OPCODES } from "./websocket-frames.ts";
import type { Side, SideListener } from "./websocket-join.ts";
import { SocketSide } from "./websocket-socket.ts";

/** A connection past its handshake. */
export class ByteSide extends SocketSide implements Side<Buffer<ArrayBuffer>> {
  readonly #takesMasked: boolean;
  readonly #tracker = new FrameTracker();
  /** A Close frame of the proxy's own, which waits for the end of the frame that passes. */
  #farewell: Buffer | undefined;
  #hasLeft = false;

  /** @param takesMasked whether it takes the frames of a client */
  constructor(socket: Socket, takesMasked: boolean) {
    super(socket);
    this.#takesMasked = takesMasked;
  }

  get hasClosed(): boolean {
    return this.#tracker.hasClosed || this.#hasLeft;
  }

  start(listener: SideListener<Buffer<ArrayBuffer>>): void {
    this.read(listener, listener.onData);
  }

  send(chunk: Buffer<ArrayBuffer>): boolean {
    if (this.#hasLeft || this.socket.destroyed) return true;
    const end = this.#tracker.read(chunk);
    if (!this.#farewell || end < 0) return this.socket.write(chunk);
    this.socket.write(chunk.subarray(0, end));
    this.#sayFarewell(this.#farewell);
    return true;
  }

  close(code: number | undefined, reason: string): void {
    if (this.hasClosed || this.socket.writableEnded) return;
    this.#farewell = encodeFrame(OPCODES.close, encodeClose(code, reason), this.#takesMasked);
    if (this.#tracker.isBetween) this.#sayFarewell(this.#farewell);
  }

  end(): void {
    // Half a frame can't be ended.
    if (this.#farewell && !this.#hasLeft) this.socket.destroy();
    else this.socket.end();
  }

  #sayFarewell(farewell: Buffer): void {
    this.#hasLeft = true;
    this.socket.end(farewell);
  }
}
