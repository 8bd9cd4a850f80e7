/**
 * Sockets of `node:net` and `node:tls` as wires: their events, and a caller's connection.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { type CallerWire, CLOSED, type WireWatch } from "./contract.ts";

/** Options for special sockets. */
export interface Special {
  /** The connection that the socket wraps, if any. */
  carrier?: Duplex & Pick<Socket, "remoteAddress"> | undefined;
  /** Finds a more exact failure; `undefined` if there is none. */
  explain?(failure: Error): Promise<Error> | undefined;
}

/** Handles a failed write; true if the socket should stay open. */
type Hold = (failure: Error) => boolean;
/** Called when a write has finished. */
type Done = (failure?: Error | null) => void;

/** Write errors on a connection that the peer has reset. After one, only bytes that have already arrived can be read. */
const RESETS: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET"]);

/** Passes all events of a socket to a watch, except `onConnected` and `onOpen`. */
export function watchSocket(
  socket: Socket,
  watch: WireWatch,
  { carrier = socket, explain }: Special = {},
): void {
  let isExplained = false;
  let broken: Error | undefined;
  const hold: Hold = (failure) => {
    if (!RESETS.has((failure as NodeJS.ErrnoException).code)) return false;
    broken ??= failure;
    return watch.onWriteFailed?.() === true;
  };
  for (const one of new Set<Duplex>([socket, carrier])) holdWrites(one, hold);
  socket.on("data", (bytes: Buffer) => watch.onBytes(bytes));
  socket.on("drain", () => watch.onDrain());
  socket.on("error", (failure: Error) => {
    const explained = explain?.(failure);
    if (!explained) return watch.onClose(failure);
    isExplained = true;
    void explained.then((known) => watch.onClose(known));
  });
  // Node (libuv) reports a reset that directly follows bytes as a clean end, and Deno does so for every reset with TLS. Only
  // after a reset is `remoteAddress` missing; but on Bun and Deno a socket with TLS within TLS never has one.
  socket.on("end", () => watch.onClose(broken ?? (carrier.remoteAddress ? undefined : CLOSED)));
  socket.on("close", () => void (isExplained || watch.onClose(CLOSED)));
}

/**
 * Keeps a failed write from destroying its socket, and with it the bytes received before. For the socket, that write stays
 * pending until it is destroyed.
 */
function holdWrites(socket: Duplex, hold: Hold): void {
  const { _write, _writev } = socket;
  const watched = (done: Done): Done => (failure) => void (failure && hold(failure) || done(failure));
  socket._write = (chunk, coding, done) => _write.call(socket, chunk, coding, watched(done));
  if (_writev) socket._writev = (chunks, done) => _writev.call(socket, chunks, watched(done));
}

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
