/**
 * The caller's side of a WebSocket if the runtime keeps the connection and delivers messages (`Bun.serve`).
 * @module
 */

import { answerError, ProxyError } from "../../http/error.ts";
import type { Reply } from "../../http/reply.ts";
import type { DialledSocket } from "./dial.ts";
import { HIGH_BYTES, joinSides, type Message, type Side, type SideListener } from "./join.ts";
import type { OpenSockets } from "./open-sockets.ts";
import { TargetSide } from "./target.ts";

/** A WebSocket as the runtime keeps it. */
export interface KeptSocket {
  /** Bytes that the caller has not taken yet. */
  readonly pending: number;
  send(data: Message): void;
  /** Sends a Close frame; `undefined` for one without a code. */
  close(code: number | undefined, reason: string): void;
  pause(): void;
  resume(): void;
  /** Cuts the connection. */
  terminate(): void;
}

/** Lets go of a target whose caller the runtime does not let in, and answers that caller. */
export function refuseCaller(dialled: DialledSocket): Reply {
  dialled.cancel();
  const message = "Cannot open a WebSocket: the server did not accept the handshake";
  return answerError(new ProxyError("bad_request", message), "Proxy Error");
}

/** Waits for the runtime to let the caller in, and is joined then. */
export class CallerSide implements Side<Message> {
  readonly #dialled: DialledSocket;
  readonly #sockets: OpenSockets;
  #kept: KeptSocket | undefined;
  #listener: SideListener<Message> | undefined;
  #hasClosed = false;
  #isGone = false;

  constructor(dialled: DialledSocket, sockets: OpenSockets) {
    this.#dialled = dialled;
    this.#sockets = sockets;
  }

  get hasClosed(): boolean {
    return this.#hasClosed;
  }

  /** The runtime has let the caller in. */
  open(kept: KeptSocket): void {
    this.#kept = kept;
    joinSides(this, new TargetSide(this.#dialled.socket), this.#dialled.watch, this.#sockets);
  }

  /** The caller has sent a message. */
  take(data: Message): void {
    this.#listener?.onData(data);
  }

  /** The caller has taken what was on its way. */
  drained(): void {
    this.#listener?.onDrain();
  }

  /** The caller's end; code 1005 is a Close frame without one, 1006 a connection that broke off. */
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
    if (this.#hasClosed || this.#isGone || !this.#kept) return true;
    this.#kept.send(data);
    return this.#kept.pending <= HIGH_BYTES;
  }

  close(code: number | undefined, reason: string): void {
    if (this.#hasClosed || this.#isGone) return;
    this.#hasClosed = true;
    this.#kept?.close(code, reason);
  }

  end(): void {}

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
