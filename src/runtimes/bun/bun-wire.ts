/**
 * A connection made by `Bun.connect` or accepted by `Bun.listen` (1.4).
 * @module
 */

import { Buffer } from "node:buffer";
import { Dialling } from "../../wire/dialling.ts";
import { CLOSED, type Wire, type WireWatch } from "../../wire/contract.ts";

/** Joining this many bytes costs as much as the system call that it saves. */
const JOINED_BYTES = 4_096;

/** A Bun socket whose data is its wire. */
export type BunSocket = Bun.Socket<BunWire>;

/** A connection that queues what the system does not accept yet. */
export class BunWire implements Wire {
  readonly watch: WireWatch;
  #socket: BunSocket | undefined;
  /** Absent for a caller's connection. */
  #dialling: Dialling | undefined;
  /** Bytes that the system does not accept yet, in order. */
  #queue: Uint8Array[] = [];
  /** Chunks written while corked. */
  #corked: Uint8Array[] | undefined;
  #corks = 0;
  #isPaused = false;
  /** True once the system has refused to send: the connection was reset. */
  #isBroken = false;
  /** True once the connection was destroyed. */
  #isOver = false;

  constructor(watch: WireWatch) {
    this.watch = watch;
  }

  /** Begins to connect to the first of these addresses that answers. */
  dial(addresses: readonly string[], connect: (address: string) => Promise<unknown>): void {
    this.#dialling = new Dialling(addresses, {
      // `connectError` reports the failure too.
      dial: (address) => void connect(address).catch(() => {}),
      // Without a route, Bun reports the failure during `Bun.connect`, before the watch is ready.
      onFailure: (failure) => queueMicrotask(() => this.watch.onClose(failure)),
    });
    this.#dialling.begin();
  }

  /** A connection has been made. */
  opened(socket: BunSocket): void {
    if (this.accept(socket)) this.watch.onOpen();
  }

  /** Takes a connection that has been made. If it is no longer wanted, closes it and returns false. */
  protected accept(socket: BunSocket): boolean {
    if (this.#dialling?.connected()) {
      this.adopt(socket);
      return true;
    }
    socket.close();
    return false;
  }

  /** Takes the connection. */
  adopt(socket: BunSocket): void {
    this.#socket = socket;
    socket.setNoDelay(true);
  }

  /** An attempt has failed. */
  failed(failure: Error): void {
    this.#dialling?.failed(failure);
  }

  /** True if this is the connection that was taken, not one that came too late. */
  protected holds(socket: unknown): boolean {
    return this.#socket === socket;
  }

  /** The connection has ended: nothing more arrives. */
  closed(socket: BunSocket, failure?: Error): void {
    if (this.holds(socket)) this.watch.onClose(failure ?? this.failure);
  }

  /**
   * The failure of the connection, if a write has failed. Needed because the failed write consumes the system's error, and
   * the next read then reports a normal end.
   */
  protected get failure(): Error | undefined {
    return this.#isBroken ? CLOSED : undefined;
  }

  destroy(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#socket) this.#socket.close();
    else this.#dialling?.cancel();
  }

  get writableLength(): number {
    return measure(this.#queue) + (this.#corked ? measure(this.#corked) : 0);
  }

  /** Takes bytes from the system. */
  received(bytes: Buffer): void {
    this.watch.onBytes(bytes);
  }

  write(bytes: Uint8Array | string, encoding?: "latin1"): boolean {
    const chunk = typeof bytes === "string" ? Buffer.from(bytes, encoding) : bytes;
    if (this.#corks > 0) (this.#corked ??= []).push(chunk);
    else if (this.#queue.length > 0) this.#queue.push(chunk);
    else this.#send(chunk);
    return this.#queue.length === 0;
  }

  /** Sends a chunk, and queues what the system does not accept. A closed connection accepts nothing; its watch is told. */
  #send(chunk: Uint8Array): void {
    const sent = this.#socket?.write(chunk) ?? 0;
    if (sent < chunk.length) this.#queue.push(chunk.subarray(Math.max(0, sent)));
    if (sent < 0) this.#break();
  }

  #break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    // Bun keeps reading, and reports the end afterwards.
    queueMicrotask(() => this.watch.onWriteFailed?.());
  }

  /** Bun calls this on resume too. */
  drained(): void {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#queue = [];
    for (const chunk of queue) this.write(chunk);
    if (this.#queue.length === 0) this.watch.onDrain();
  }

  cork(): void {
    this.#corks += 1;
  }

  uncork(): void {
    this.#corks -= 1;
    const chunks = this.#corked;
    if (this.#corks > 0 || !chunks) return;
    this.#corked = undefined;
    const size = measure(chunks);
    if (size <= JOINED_BYTES * (chunks.length - 1)) this.write(Buffer.concat(chunks, size));
    else for (const chunk of chunks) this.write(chunk);
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (this.#isPaused) this.#socket?.resume();
    this.#isPaused = false;
  }

  ref(): void {
    this.#socket?.ref();
  }

  unref(): void {
    this.#socket?.unref();
  }
}

function measure(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
