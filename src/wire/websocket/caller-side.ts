/**
 * The caller's side of a WebSocket, for runtimes that keep the connection and deliver messages (`Bun.serve`).
 * @module
 */

import { answerError, ProxyError } from "../../core/http/error.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { DialledSocket } from "./dial.ts";
import { frameBytes } from "./frames.ts";
import { HIGH_BYTES, joinSides, type Message, type Side, type SideListener, sizeOf } from "./join.ts";
import type { OpenSockets } from "./open-sockets.ts";
import { TargetSide } from "./target-side.ts";

/** A WebSocket of the runtime. */
export interface KeptSocket {
  /** Bytes not sent to the caller yet. */
  readonly pending: number;
  send(data: Message): void;
  /** Sends a Close frame; `undefined` for one without a code. */
  close(code: number | undefined, reason: string): void;
  pause(): void;
  resume(): void;
  /** Cuts the connection. */
  terminate(): void;
}

/** Releases the target and answers the caller, if the runtime refuses the caller's handshake. */
export function refuseCaller(dialled: DialledSocket): Reply {
  dialled.cancel();
  const message = "Cannot open a WebSocket: the server did not accept the handshake";
  return answerError(new ProxyError("bad_request", message), "Proxy Error");
}

/** The caller's side. It is joined when the runtime accepts the caller. */
export class CallerSide implements Side<Message> {
  readonly carries = "messages";
  readonly #dialled: DialledSocket;
  readonly #sockets: OpenSockets;
  #kept: KeptSocket | undefined;
  #listener: SideListener<Message> | undefined;
  #hasClosed = false;
  /** True once this side is to end without a Close frame, after pending bytes have been sent. */
  #isEnding = false;
  #isGone = false;
  #writtenBytes = 0;

  constructor(dialled: DialledSocket, sockets: OpenSockets) {
    this.#dialled = dialled;
    this.#sockets = sockets;
  }

  get hasClosed(): boolean {
    return this.#hasClosed;
  }

  get unsentBytes(): number {
    return this.#isGone ? 0 : this.#kept?.pending ?? 0;
  }

  get takenBytes(): number {
    return this.#writtenBytes - this.unsentBytes;
  }

  /** The runtime has accepted the caller. */
  open(kept: KeptSocket): void {
    this.#kept = kept;
    joinSides(this, new TargetSide(this.#dialled.socket), this.#dialled.watch, this.#sockets);
  }

  /** The caller has sent a message. */
  take(data: Message): void {
    this.#listener?.onData(data);
  }

  /** Pending bytes have been sent to the caller. */
  drained(): void {
    if (this.#isEnding) this.#cut();
    else this.#listener?.onDrain();
  }

  /** The caller has closed. Code 1005 means a Close frame without a code, 1006 a broken connection. */
  closed(code: number, reason: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    if (!this.#listener) return this.#dialled.cancel();
    if (code !== 1006) this.#listener.onClose(code === 1005 ? undefined : code, reason);
    this.#listener.onEnd();
    this.#listener.onGone();
  }

  start(listener: SideListener<Message>): void {
    this.#listener = listener;
  }

  send(data: Message): boolean {
    if (this.#hasClosed || this.#isEnding || this.#isGone || !this.#kept) return true;
    this.#kept.send(data);
    this.#writtenBytes += frameBytes(sizeOf(data));
    return this.#kept.pending <= HIGH_BYTES;
  }

  close(code: number | undefined, reason: string): void {
    if (this.#hasClosed || this.#isEnding || this.#isGone) return;
    this.#hasClosed = true;
    this.#kept?.close(code, reason);
  }

  /** Bun cuts a connection at once, so pending bytes are sent first. After a Close frame, the runtime ends it. */
  end(): void {
    if (this.#hasClosed) return;
    this.#isEnding = true;
    this.#cut();
  }

  #cut(): void {
    if (!this.#isGone && this.unsentBytes === 0) this.destroy();
  }

  pause(): void {
    this.#kept?.pause();
  }

  resume(): void {
    this.#kept?.resume();
  }

  destroy(): void {
    this.#kept?.terminate();
  }
}
