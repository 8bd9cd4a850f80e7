/**
 * A caller's connection over `node:net` or `node:tls`.
 * @module
 */

import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type Special, watchSocket } from "../watch-socket.ts";
import type { CallerWire, WireWatch } from "../contract.ts";

/** A caller's socket as a wire. The server must have `allowHalfOpen`. */
export class SocketWire implements CallerWire {
  readonly socket: Socket;

  constructor(socket: Socket, watch: WireWatch, special?: Special) {
    this.socket = socket;
    watchSocket(socket, watch, special);
  }

  get writableLength(): number {
    return this.socket.writableLength;
  }

  /** `bytesWritten` of Node includes bytes that are still queued. */
  get takenBytes(): number {
    return this.socket.bytesWritten - this.socket.writableLength;
  }

  write(bytes: Uint8Array | string, encoding?: "latin1"): boolean {
    return typeof bytes === "string" ? this.socket.write(bytes, encoding) : this.socket.write(bytes);
  }

  cork(): void {
    this.socket.cork();
  }

  uncork(): void {
    this.socket.uncork();
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  ref(): void {
    this.socket.ref();
  }

  unref(): void {
    this.socket.unref();
  }

  finish(isWhole: boolean): void {
    if (isWhole || this.socket.readableEnded) this.socket.destroySoon();
    else this.socket.end();
  }

  cut(): void {
    // With TLS, no reset is needed: its own end marker is missing after `destroy`.
    if ((this.socket as TLSSocket).encrypted) this.socket.destroy();
    else this.socket.resetAndDestroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Hands the socket over, and stops passing its data to the watch. */
  release(): Socket {
    return this.socket.removeAllListeners("data");
  }
}
