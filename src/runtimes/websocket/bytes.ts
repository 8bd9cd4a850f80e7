/**
 * A side of a WebSocket that passes bytes unchanged: frames, extensions, pings and close codes.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import type { Reply } from "../../http/reply.ts";
import { encodeClose, encodeFrame, FrameTracker, OPCODES } from "./frames.ts";
import type { Side, SideListener } from "./join.ts";
import { SocketSide } from "./socket.ts";

/** A connection past its handshake. */
export class ByteSide extends SocketSide implements Side<Buffer<ArrayBuffer>> {
  readonly #takesMasked: boolean;
  readonly #tracker = new FrameTracker();
  /** A Close frame of the proxy's own, which waits for the end of the frame that passes. */
  #farewell: Buffer | undefined;
  #hasLeft = false;
  #onFlood: () => void = () => {};

  /** @param takesMasked whether it takes the frames of a client */
  constructor(socket: Duplex, takesMasked: boolean) {
    super(socket);
    this.#takesMasked = takesMasked;
  }

  get hasClosed(): boolean {
    return this.#tracker.hasClosed || this.#hasLeft;
  }

  start(listener: SideListener<Buffer<ArrayBuffer>>): void {
    this.#onFlood = listener.onFlood;
    this.read(listener, listener.onData);
  }

  send(chunk: Buffer<ArrayBuffer>): boolean {
    if (this.#hasLeft || this.#tracker.isFlooded || this.socket.destroyed) return true;
    const end = this.#tracker.read(chunk);
    if (this.#tracker.isFlooded) return this.#stop(chunk, end);
    if (!this.#farewell || end < 0) return this.socket.write(chunk);
    this.socket.write(chunk.subarray(0, end));
    this.#sayFarewell(this.#farewell);
    return true;
  }

  /** Asks whether the other end is still there, where a frame may stand; the answer passes like any other frame. */
  ping(): boolean {
    const mayPing = this.#tracker.isBetween && !this.hasClosed && !this.socket.writableEnded;
    if (mayPing) this.socket.write(encodeFrame(OPCODES.ping, new Uint8Array(), this.#takesMasked));
    return mayPing;
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

  /** Sends what is before the frame that is too many. Half a head that has gone can't be taken back. */
  #stop(chunk: Buffer, end: number): boolean {
    if (end < 0) this.socket.destroy();
    else this.socket.write(chunk.subarray(0, end));
    this.#onFlood();
    return true;
  }

  #sayFarewell(farewell: Buffer): void {
    this.#hasLeft = true;
    this.socket.end(farewell);
  }
}

/** The 101 of the proxy, as text in Latin-1. */
export function formatHead({ headers }: Reply): string {
  const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
