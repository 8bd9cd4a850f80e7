/**
 * A side of a WebSocket that passes bytes unchanged, including frames, extensions, pings and close codes.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import { linesOf } from "../../core/http/fields.ts";
import type { Reply } from "../../core/http/reply.ts";
import { encodeClose, encodeFrame, FrameTracker, OPCODES } from "./frames.ts";
import type { Side, SideListener } from "./join.ts";
import { SocketSide } from "./base-side.ts";

/** A connection past its handshake. */
export class ByteSide extends SocketSide implements Side<Buffer<ArrayBuffer>> {
  readonly carries = "bytes";
  readonly #takesMasked: boolean;
  readonly #tracker = new FrameTracker();
  /** The proxy's own Close frame, which waits for the end of the current frame. */
  #farewell: Buffer | undefined;
  #hasLeft = false;
  #onFlood: () => void = () => {};

  /** @param takesMasked whether this side receives masked frames, as a server does */
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
    if (!this.#farewell || end < 0) return this.write(chunk);
    this.write(chunk.subarray(0, end));
    this.#sayFarewell(this.#farewell);
    return true;
  }

  /** Sends a ping, unless a frame is being sent; true if sent. The pong is passed on like any other frame. */
  ping(): boolean {
    const mayPing = this.#tracker.isBetween && !this.hasClosed && !this.socket.writableEnded;
    if (mayPing) this.write(encodeFrame(OPCODES.ping, new Uint8Array(), this.#takesMasked));
    return mayPing;
  }

  close(code: number | undefined, reason: string): void {
    if (this.hasClosed || this.socket.writableEnded) return;
    this.#farewell = encodeFrame(OPCODES.close, encodeClose(code, reason), this.#takesMasked);
    if (this.#tracker.isBetween) this.#sayFarewell(this.#farewell);
  }

  end(): void {
    // A partial frame can't be ended cleanly.
    if (this.#farewell && !this.#hasLeft) this.socket.destroy();
    else this.socket.end();
  }

  /** Sends the bytes before the frame that exceeds the limit. If part of its head was already sent, cuts the connection. */
  #stop(chunk: Buffer, end: number): boolean {
    if (end < 0) this.socket.destroy();
    else this.write(chunk.subarray(0, end));
    this.#onFlood();
    return true;
  }

  #sayFarewell(farewell: Buffer): void {
    this.#hasLeft = true;
    this.socket.end(farewell);
  }
}

/** Formats the proxy's 101 as Latin-1 text. */
export function formatHead({ headers }: Reply): string {
  const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
  for (const [name, value] of linesOf(headers)) lines.push(`${name}: ${value}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
