/**
 * A network in this process: connections between the callers, proxies and targets of a test file, without sockets.
 * @module
 */
import { Duplex } from "node:stream";

/** Ports of the network; no socket of this machine has one of them. */
let lastPort = 40_000;
const listeners = new Map<number, Accept>();
let isUsed = false;
let isAlone = false;

/** Takes a connection. */
export type Accept = (socket: MemorySocket) => void;

/** From now on, everything in this file that listens in plain does so in memory. */
export function useMemoryNetwork(): void {
  isUsed = true;
}

/** The same, and the proxies are the core alone: `fetchvia/core` without any part. */
export function useCoreAlone(): void {
  isUsed = isAlone = true;
}

/** True in files whose proxies have no part. */
export function usesCoreAlone(): boolean {
  return isAlone;
}

/** True in files that use the network. */
export function usesMemory(): boolean {
  return isUsed;
}

/** Listens on a port of the network. */
export function listenInMemory(accept: Accept): number {
  lastPort += 1;
  listeners.set(lastPort, accept);
  return lastPort;
}

/** Ends the listening; connections stay. */
export function unlisten(port: number): void {
  listeners.delete(port);
}

/** Connects to a port of the network; `undefined` if nothing in memory listens there. */
export function connectInMemory(port: number, from = "127.0.0.1"): MemorySocket | undefined {
  const accept = listeners.get(port);
  if (!accept) return undefined;
  lastPort += 1;
  const [near, far] = [new MemorySocket(), new MemorySocket()];
  near.join(far, { remoteAddress: "127.0.0.1", remotePort: port, localAddress: from, localPort: lastPort });
  far.join(near, { remoteAddress: from, remotePort: lastPort, localAddress: "127.0.0.1", localPort: port });
  setImmediate(() => {
    accept(far);
    near.emit("connect");
  });
  return near;
}

interface Ends {
  remoteAddress: string | undefined;
  remotePort: number;
  localAddress: string;
  localPort: number;
}

/** One side of a connection: the part of a `net.Socket` that the proxy and the tests use. */
export class MemorySocket extends Duplex implements Ends {
  remoteAddress: string | undefined;
  remotePort = 0;
  localAddress = "";
  localPort = 0;
  #other: MemorySocket | undefined;
  #onRead: (() => void) | undefined;

  constructor() {
    super({ allowHalfOpen: true, emitClose: true });
  }

  join(other: MemorySocket, ends: Ends): void {
    this.#other = other;
    Object.assign(this, ends);
  }

  override _read(): void {
    const onRead = this.#onRead;
    this.#onRead = undefined;
    onRead?.();
  }

  override _write(bytes: Buffer, _encoding: string, done: (failure?: Error) => void): void {
    this.#send(Buffer.from(bytes), done);
  }

  override _writev(pieces: { chunk: Buffer }[], done: (failure?: Error) => void): void {
    this.#send(Buffer.concat(pieces.map(({ chunk }) => chunk)), done);
  }

  /**
   * Bytes arrive in another turn, as through a socket. They are a copy: what is written to the memory afterwards does not
   * go over.
   */
  #send(copy: Buffer, done: (failure?: Error) => void): void {
    const other = this.#other!;
    setImmediate(() => {
      if (other.destroyed) return done(Object.assign(new Error("broken pipe"), { code: "EPIPE" }));
      if (other.push(copy)) done();
      else other.#onRead = done;
    });
  }

  override _final(done: () => void): void {
    this.#other!.push(null);
    done();
  }

  override _destroy(failure: Error | null, done: (failure: Error | null) => void): void {
    const other = this.#other!;
    this.#onRead?.();
    if (!this.writableFinished && !other.destroyed && !other.readableEnded) other.push(null);
    this.remoteAddress = failure ? undefined : this.remoteAddress;
    done(failure);
  }

  destroySoon(): void {
    this.end();
    if (this.writableFinished) this.destroy();
    else this.once("finish", () => this.destroy());
  }

  resetAndDestroy(): void {
    const other = this.#other!;
    this.destroy();
    if (!other.destroyed) other.destroy(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
