/**
 * A TCP connection of Deno (2.9), from a caller or to a target: half the cost of `node:net`, a third of `Deno.serve`.
 * @module
 */

import { encodeLatin1 } from "../../wire/codec/buffers.ts";
import { type CallerWire, CLOSED, type WireWatch } from "../../wire/contract.ts";
import type { Admission } from "./accept-pace.ts";
import { ReadBlocks } from "./large-blocks.ts";
import { SendQueue } from "./send-queue.ts";

/** The part of `Deno.TcpConn` that is used here. */
export interface Conn {
  /** Settles with the number of bytes; `null` at the end. */
  read(room: Uint8Array): Promise<number | null>;
  /** Settles with the number of bytes that were taken. */
  write(bytes: Uint8Array): Promise<number>;
  closeWrite(): Promise<void>;
  close(): void;
  setNoDelay(isOn: boolean): void;
}

/** Once this many bytes are unsent, `write` returns false. */
const QUEUED_BYTES = 262_144;

/** How a connection is used. */
export interface WireOptions {
  /** Bytes of the read buffer that the connection keeps while nothing large arrives. */
  roomBytes: number;
  /**
   * How many blocks a body must fill before it gets a large one. Of a response that ends soon, most of a large block would be
   * unused; of an upload, the kernel gives more at a time the more is asked for.
   */
  fullBlocks: number;
  /** False to close the connection as soon as the peer closes its side. */
  isHalfOpen: boolean;
  /** If present, the connection waits to be admitted before it hands out bytes. */
  admission?: Admission;
}

/** A connection that queues unsent bytes, and reads large bodies in large pieces. */
export class DenoWire implements CallerWire {
  readonly #watch: WireWatch;
  #conn: Conn | undefined;
  readonly #blocks: ReadBlocks;
  readonly #isHalfOpen: boolean;
  readonly #admission: Admission | undefined;
  readonly #unsent = new SendQueue();
  #corks = 0;
  #isSending = false;
  #isPaused = true;
  #isReading = false;
  #hasEnded = false;
  #isFinishing: "sending" | "whole" | undefined;
  /** Settles when the sending side is closed. */
  #closing: Promise<void> | undefined;
  #isOver = false;
  /** The failure after which nothing can be sent. */
  #failure: Error | undefined;

  constructor(watch: WireWatch, { roomBytes, fullBlocks, isHalfOpen, admission }: WireOptions) {
    this.#watch = watch;
    this.#blocks = new ReadBlocks(roomBytes, fullBlocks);
    this.#isHalfOpen = isHalfOpen;
    this.#admission = admission;
  }

  /** Takes the connection. */
  adopt(conn: Conn): void {
    conn.setNoDelay(true);
    this.#conn = conn;
  }

  get writableLength(): number {
    return this.#unsent.bytes;
  }

  get takenBytes(): number {
    return this.#unsent.sentBytes;
  }

  write(bytes: Uint8Array | string): boolean {
    if (this.#isOver || this.#failure) return true;
    this.#admission?.leave();
    this.#unsent.add(typeof bytes === "string" ? encodeLatin1(bytes) : bytes);
    this.#send();
    return this.#unsent.bytes < QUEUED_BYTES;
  }

  cork(): void {
    this.#corks += 1;
  }

  uncork(): void {
    this.#corks -= 1;
    this.#send();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isReading && !this.#hasEnded && !this.#isOver) void this.#read();
  }

  /** No effect: the server keeps the process running anyway. */
  ref(): void {}

  unref(): void {}

  finish(isWhole: boolean): void {
    this.#isFinishing = isWhole ? "whole" : "sending";
    if (!this.#isSending) this.#finish();
  }

  /** Closes normally, because Deno (2.9) has no reset. */
  cut(): void {
    this.destroy();
  }

  destroy(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#admission?.leave();
    this.#unsent.clear();
    this.#conn?.close();
  }

  #send(): void {
    if (this.#isSending || this.#corks > 0 || this.#unsent.isEmpty) return;
    this.#isSending = true;
    this.#sendRest(this.#unsent.take());
  }

  /** Without `await`, which would cost one more function and promise per write. */
  #sendRest(rest: Uint8Array): void {
    this.#conn!.write(rest).then((size) => this.#sent(rest, size), (failure) => this.#failWrite(failure));
  }

  /** After a failed write, nothing more is sent, and when reading ends, this failure is reported. */
  #failWrite(failure: unknown): void {
    if (this.#isOver) return;
    this.#failure = toError(failure);
    this.#unsent.clear();
    if (!this.#watch.onWriteFailed?.()) this.#fail(failure);
  }

  #sent(chunk: Uint8Array, size: number): void {
    if (this.#isOver) return;
    try {
      this.#unsent.sent(size);
      if (size < chunk.length) this.#sendRest(chunk.subarray(size));
      else if (!this.#unsent.isEmpty) this.#sendRest(this.#unsent.take());
      else this.#allSent();
    } catch (failure) {
      this.#fail(failure);
    }
  }

  #allSent(): void {
    this.#isSending = false;
    if (this.#isFinishing) this.#finish();
    else this.#watch.onDrain();
  }

  #finish(): void {
    if (this.#isOver) return;
    const isWhole = this.#isFinishing === "whole" || this.#hasEnded;
    this.#closing ??= this.#conn!.closeWrite().catch(() => {});
    void this.#closing.then(() => {
      if (!isWhole || this.#isOver) return;
      this.destroy();
      this.#watch.onClose();
    });
  }

  async #read(): Promise<void> {
    const conn = this.#conn!;
    this.#isReading = true;
    try {
      while (!this.#isPaused) {
        const size = await conn.read(this.#blocks.next);
        if (this.#isOver) return;
        if (size === null) return this.#end();
        const turn = this.#admission?.enter();
        if (turn) await turn;
        // The connection may have been destroyed while it waited.
        if (this.#isOver) return this.#admission?.leave();
        this.#blocks.hand(size, this.#watch);
        if (this.#isOver) return;
      }
    } catch (failure) {
      this.#fail(failure);
    } finally {
      this.#isReading = false;
    }
  }

  #end(): void {
    this.#hasEnded = true;
    this.#watch.onClose(this.#failure);
    if (!this.#isHalfOpen) this.destroy();
    else if (this.#isFinishing && !this.#isSending) this.#finish();
  }

  #fail(failure: unknown): void {
    if (this.#isOver) return;
    this.destroy();
    this.#watch.onClose(toError(failure));
  }
}

function toError(failure: unknown): Error {
  return failure instanceof Error ? failure : CLOSED;
}
