/**
 * Connections that get their final socket only after they have begun.
 * @module
 */

import type { Socket } from "node:net";
import type { Wire } from "./contract.ts";

/** A wire that forwards every call to its current socket. Nothing is written before the watch's `onOpen`. */
export abstract class LateWire implements Wire {
  /** The socket to the target; `undefined` until there is one. */
  abstract get socket(): Socket | undefined;

  get writableLength(): number {
    return this.socket?.writableLength ?? 0;
  }

  write(bytes: Uint8Array | string, encoding?: "latin1"): boolean {
    return this.socket?.write(bytes, encoding) ?? true;
  }

  cork(): void {
    this.socket?.cork();
  }

  uncork(): void {
    this.socket?.uncork();
  }

  pause(): void {
    this.socket?.pause();
  }

  resume(): void {
    this.socket?.resume();
  }

  abstract ref(): void;

  abstract unref(): void;

  /** Closes the sending side. */
  end(): void {
    this.socket?.end();
  }

  abstract destroy(): void;
}

/** The socket of a connection that is open. */
export function socketOf(wire: Socket | LateWire): Socket {
  return wire instanceof LateWire ? wire.socket! : wire;
}
