/**
 * Connections to targets by `Bun.connect` (1.4), which saves a twelfth of a request's CPU time compared with
 * `node:net`.
 * @module
 */

import { Buffer } from "node:buffer";
import { closed, type Connect, type Wire, type WireWatch } from "../http1/wire.ts";
import { connectNode } from "../http1/wire-node.ts";

/** `Bun.connect` can't be cancelled. If this many wait, `node:net` connects instead, which can. */
const MOST_ABANDONED = 32;
/** Larger writes stay separate: joining them costs more than a system call. */
const JOINED_BYTES = 65_536;

let abandoned = 0;

/** Connects without TLS and directly to a single address; `node:net` does everything else. */
export const connectBun: Connect = (options, isSecure, watch) => {
  const [address, another] = options.addresses ?? [];
  if (isSecure || !address || another || options.route || abandoned >= MOST_ABANDONED) {
    return connectNode(options, isSecure, watch);
  }
  const wire = new BunWire(watch);
  // `connectError` reports the failure too.
  Bun.connect({ hostname: address, port: options.port, socket: HANDLERS, data: wire }).catch(() => {});
  return wire;
};

type BunSocket = Bun.Socket<BunWire>;

/** Shared by all connections: the wire is the data of its connection. */
const HANDLERS: Bun.SocketHandler<BunWire, "buffer"> = {
  binaryType: "buffer",
  open: (socket) => socket.data.opened(socket),
  data: ({ data: wire }, bytes) => wire.watch.onBytes(bytes),
  drain: ({ data: wire }) => wire.drained(),
  end: ({ data: wire }) => wire.watch.onClose(),
  error: ({ data: wire }, failure) => wire.watch.onClose(failure),
  close: ({ data: wire }, failure) => wire.watch.onClose(failure ?? closed()),
  connectError: ({ data: wire }, failure) => wire.failed(failure),
};

class BunWire implements Wire {
  readonly watch: WireWatch;
  #socket: BunSocket | undefined;
  /** Bytes that the system does not accept yet, in order. */
  #queue: Uint8Array[] = [];
  #corked: Uint8Array[] | undefined;
  #isPaused = false;
  /** True once it has failed or was destroyed. */
  #isOver = false;

  constructor(watch: WireWatch) {
    this.watch = watch;
  }

  opened(socket: BunSocket): void {
    if (this.#isOver) {
      abandoned -= 1;
      socket.close();
      return;
    }
    this.#socket = socket;
    socket.setNoDelay(true);
    this.watch.onOpen();
  }

  failed(failure: Error): void {
    const isAbandoned = this.#isOver;
    // Set before the watch is notified, because the watch may destroy this wire.
    this.#isOver = true;
    if (isAbandoned) abandoned -= 1;
    // Without a route, Bun reports the failure during `Bun.connect`, before the watch is ready.
    else queueMicrotask(() => this.watch.onClose(failure));
  }

  destroy(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#socket) this.#socket.close();
    else abandoned += 1;
  }

  get writableLength(): number {
    return measure(this.#queue);
  }

  write(bytes: Uint8Array | string, encoding?: "latin1"): boolean {
    const chunk = typeof bytes === "string" ? Buffer.from(bytes, encoding) : bytes;
    const queue = this.#corked ?? this.#queue;
    if (this.#corked || queue.length) queue.push(chunk);
    else this.#send(chunk);
    return this.#queue.length === 0;
  }

  /** Queues what the system does not accept. A closed connection accepts nothing; its watch is notified. */
  #send(chunk: Uint8Array): void {
    const sent = Math.max(0, this.#socket?.write(chunk) ?? 0);
    if (sent < chunk.length) this.#queue.push(chunk.subarray(sent));
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
    this.#corked = [];
  }

  uncork(): void {
    const chunks = this.#corked ?? [];
    this.#corked = undefined;
    const size = measure(chunks);
    if (size <= JOINED_BYTES) this.write(Buffer.concat(chunks, size));
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
