/**
 * Joins the two sides of a WebSocket on every runtime, and handles a side that is slow, closes or fails.
 *
 * If the runtime hands over the caller's connection, both sides are connections and their bytes pass
 * unchanged (`bytes.ts`). If it keeps the connection (`Deno.serve`), messages pass between the runtime's WebSocket and the
 * target's frames (`target-side.ts`).
 * @module
 */

import { Buffer } from "node:buffer";
import { ProxyError } from "../../core/http/error.ts";
import { Stall } from "../../core/http/deadlines.ts";
import type { SocketWatch } from "../../core/runtime.ts";
import { watchMessages } from "./message-watch.ts";
import type { OpenSocket, OpenSockets } from "./open-sockets.ts";

/** If more than this many bytes are pending to one side, the other side is paused. */
export const HIGH_BYTES = 1024 * 1024;
/** Milliseconds that the slower side has to close after the other one. */
const LINGER_MS = 30_000;
/** The same limit if the proxy stops or a message is too large. */
const LEAVING_MS = 3_000;

/** The reason with code 1009 (RFC 6455 §7.4.1). */
export const TOO_LARGE = "the message is too large";

/** A message, text or binary. */
export type Message = string | Uint8Array<ArrayBuffer>;

/** One side of a WebSocket, which passes bytes or messages. */
export interface Side<Data extends Message> {
  /** What its data is: bytes of frames, or whole messages. */
  readonly carries: "bytes" | "messages";
  /** True once a Close frame was sent to it. */
  readonly hasClosed: boolean;
  /** Bytes that the system has not taken yet. */
  readonly unsentBytes: number;
  /** A number that changes whenever the system has taken more bytes. */
  readonly takenBytes: number;
  /** Starts reading. */
  start(listener: SideListener<Data>): void;
  /** Sends data, or drops it after a Close frame. False means: wait for `onDrain`. */
  send(data: Data): boolean;
  /** Sends a Close frame after the data, unless one was sent; for `undefined`, a frame without a code. */
  close(code: number | undefined, reason: string): void;
  /** Ends this side: no more data will be sent to it. */
  end(): void;
  /** Stops reading; `resume` continues. */
  pause(): void;
  resume(): void;
  /** Cuts the connection. */
  destroy(): void;
}

/** The events of a side. */
export interface SideListener<Data extends Message> {
  onData(data: Data): void;
  /** More data can be sent. */
  onDrain(): void;
  /** The peer sent a Close frame, which has been answered. Only from message sides. */
  onClose(code: number | undefined, reason: string): void;
  /** The peer broke the protocol; the code says how (RFC 6455 §7.4.1). */
  onFault(code: number, reason: string): void;
  /**
   * A message to this side is too large and was stopped. Called once, by byte sides only; message sides refuse such a
   * message on input.
   */
  onFlood(): void;
  /** No more data comes from this side. Called once. */
  onEnd(error?: Error): void;
  /** The connection of this side is gone. Called once, as the last event. */
  onGone(): void;
}

/** Joins the caller's side, after its 101, to the target's. */
export function joinSides<Data extends Message>(
  caller: Side<Data>,
  target: Side<Data>,
  watch: SocketWatch,
  sockets: OpenSockets,
): void {
  const ending = new Ending(caller, target, watch, sockets);
  caller.start(watched(caller, watch, "caller", {
    onData(data) {
      watch.onIn(sizeOf(data));
      if (!target.send(data)) caller.pause();
    },
    onDrain: () => target.resume(),
    onClose: (code, reason) => ending.close(target, code, reason),
    onFault: (code, reason) => ending.endBoth(code, reason),
    onFlood: () => ending.breakTarget(1009, TOO_LARGE),
    onEnd: () => ending.endCaller(),
    onGone: () => ending.leave(),
  }));
  target.start(watched(target, watch, "target", {
    onData(data) {
      watch.onOut(sizeOf(data));
      if (!caller.send(data)) target.pause();
    },
    onDrain: () => caller.resume(),
    onClose: (code, reason) => ending.close(caller, code, reason),
    onFault: (code, reason) => ending.breakTarget(code, reason),
    onFlood: () => ending.endBoth(1009, TOO_LARGE),
    onEnd: (error) => ending.endTarget(error),
    onGone: () => ending.leave(),
  }));
}

/** The listener of a side; with capture, it also reports the messages. */
function watched<Data extends Message>(
  { carries }: Side<Data>,
  watch: SocketWatch,
  from: "caller" | "target",
  listener: SideListener<Data>,
): SideListener<Data> {
  const messages = watchMessages(watch, from, carries);
  if (!messages) return listener;
  return {
    ...listener,
    onData(data) {
      messages.onData(data);
      listener.onData(data);
    },
    onClose(code, reason) {
      messages.onClose(code, reason);
      listener.onClose(code, reason);
    },
  };
}

/** The bytes of a message. */
export function sizeOf(data: Message): number {
  return typeof data === "string" ? Buffer.byteLength(data) : data.length;
}

/** Ends a joined WebSocket. */
class Ending<Data extends Message> implements OpenSocket {
  place = -1;
  readonly #caller: Side<Data>;
  readonly #target: Side<Data>;
  readonly #watch: SocketWatch;
  readonly #sockets: OpenSockets;
  #sidesLeft = 2;
  #isCallerOver = false;
  readonly #callerStall = new Stall();
  readonly #targetStall = new Stall();
  #failure: Error | undefined;
  #patienceMs = LINGER_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(caller: Side<Data>, target: Side<Data>, watch: SocketWatch, sockets: OpenSockets) {
    this.#caller = caller;
    this.#target = target;
    this.#watch = watch;
    this.#sockets = sockets;
    sockets.add(this);
  }

  goAway(): void {
    this.#patienceMs = LEAVING_MS;
    // A closing handshake that has begun keeps its own code, and the messages before it arrive.
    if (this.#caller.hasClosed || this.#target.hasClosed) this.#linger();
    else this.endBoth(1001, "");
  }

  look(): void {
    if (isStalled(this.#caller, this.#callerStall)) this.#caller.destroy();
    if (!isStalled(this.#target, this.#targetStall)) return;
    const message = "Cannot forward a WebSocket message: the target took no more within the idle timeout";
    this.#failure = new ProxyError("response_timeout", message);
    this.#target.destroy();
  }

  /** Passes a Close frame on. */
  close(side: Side<Data>, code: number | undefined, reason: string): void {
    side.close(code, reason);
    this.#linger();
  }

  /** Closes both sides. Only the caller gets the reason. */
  endBoth(code: number, reason: string): void {
    // A side that sends too much may ignore a Close frame.
    if (code === 1009) this.#patienceMs = LEAVING_MS;
    this.#target.close(code, "");
    this.#caller.close(code, reason);
    this.#linger();
  }

  /** The target broke the protocol. An oversized message closes both sides; otherwise the caller's ends without Close. */
  breakTarget(code: number, reason: string): void {
    this.#failure = new ProxyError(
      "malformed_answer",
      `Cannot forward a WebSocket message: the target broke the protocol (close code ${code})`,
    );
    if (code === 1009) return this.endBoth(code, reason);
    this.#target.close(code, "");
    this.#caller.end();
    this.#linger();
  }

  /** If the caller vanishes without a Close frame, the target's connection is cut too. */
  endCaller(): void {
    this.#isCallerOver = true;
    this.#target.end();
    this.#linger();
  }

  /**
   * The target has ended. Without a Close frame that is a failure, and the caller gets none either (RFC 6455 §7.1.5). The
   * caller's connection is ended, not reset, because data that was already passed on must still arrive.
   */
  endTarget(error: Error | undefined): void {
    const isExpected = this.#caller.hasClosed || this.#isCallerOver;
    if (!isExpected && !this.#target.hasClosed) this.#failure ??= error ?? brokenOff();
    this.#caller.end();
    this.#linger();
  }

  /** One side is gone. When both are, the WebSocket has ended. */
  leave(): void {
    if (--this.#sidesLeft > 0) return;
    clearTimeout(this.#timer);
    this.#sockets.delete(this);
    this.#watch.onEnd(this.#failure);
  }

  /** Reads both sides to see them close, and cuts them after a time limit. */
  #linger(): void {
    for (const side of [this.#caller, this.#target]) side.resume();
    clearTimeout(this.#timer);
    if (this.#sidesLeft === 0) return;
    this.#timer = setTimeout(() => {
      for (const side of [this.#caller, this.#target]) side.destroy();
    }, this.#patienceMs);
  }
}

function isStalled({ unsentBytes, takenBytes }: Side<never>, stall: Stall): boolean {
  return stall.look(unsentBytes > 0, takenBytes);
}

/** The failure of a target that ended without a Close frame. */
function brokenOff(): Error {
  return Object.assign(new Error("closed without a Close frame"), { code: "ECONNRESET" });
}
