/**
 * Joins a WebSocket that the runtime keeps for the caller (`Bun.serve`, `Deno.serve`) to the target's connection.
 * @module
 */

import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { ProxyError } from "../index.ts";
import type { DialledSocket } from "./websocket-dial.ts";
import { encodeClose, encodeFrame, OPCODES } from "./websocket-frames.ts";
import type { Joint, Joints } from "./websocket-joints.ts";
import { MessageReader } from "./websocket-messages.ts";
import { brokenOff, LEAVING_MS, LINGER_MS } from "./websocket-tunnel.ts";

/** With more bytes than this on the way to one side the other one is not read on. */
const HIGH_BYTES = 1024 * 1024;
/** Deno can't stop reading a caller, so one that is this far ahead of the target is closed. */
const MAX_AHEAD_BYTES = 16 * 1024 * 1024;

/** The caller's side, as the runtime keeps it. */
export interface CallerSide {
  /** Bytes that the caller has not taken yet. */
  readonly pending: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** Sends a Close frame; `undefined` for one without a code. */
  close(code: number | undefined, reason: string): void;
  /** Stops reading, and reads on; where the runtime can. */
  pause?(): void;
  resume?(): void;
  /** Cuts the connection. */
  terminate(): void;
}

/** One joined WebSocket. */
export class Relay implements Joint {
  readonly #target: Socket;
  readonly #dialled: DialledSocket;
  readonly #joints: Joints;
  readonly #reader: MessageReader;
  #caller: CallerSide | undefined;
  #timer: NodeJS.Timeout | undefined;
  #patienceMs = LINGER_MS;
  #failure: Error | undefined;
  /** Whether a Close frame went to the target, whether the caller was told to close, and whether it is gone. */
  #hasClosedTarget = false;
  #hasClosedCaller = false;
  #isCallerGone = false;
  #isTargetOver = false;

  constructor(dialled: DialledSocket, joints: Joints) {
    this.#dialled = dialled;
    this.#target = dialled.socket;
    this.#joints = joints;
    this.#reader = new MessageReader({
      message: (data) => this.#toCaller(data),
      ping: (payload) => this.#write(OPCODES.pong, payload),
      close: (code, reason) => this.#closedByTarget(code, reason),
      fault: (code) => this.#refuse(code),
    });
  }

  /** Starts once the caller's side is open. */
  start(caller: CallerSide): void {
    this.#caller = caller;
    this.#joints.add(this);
    const target = this.#target;
    target.on("data", (chunk: Buffer) => this.#reader.push(chunk));
    target.on("drain", () => caller.resume?.());
    target.once("error", (error) => this.#endTarget(error));
    target.once("end", () => this.#endTarget());
    target.once("close", () => {
      this.#endTarget();
      this.#finish();
    });
    if (target.destroyed) this.#endTarget();
    else target.resume();
  }

  /** Takes a message of the caller. */
  fromCaller(data: string | Uint8Array): void {
    if (this.#hasClosedTarget || this.#target.destroyed) return;
    if (this.#target.writableLength > MAX_AHEAD_BYTES) {
      return this.#closeBoth(1013, 1013, "the target is too slow");
    }
    const isText = typeof data === "string";
    const payload = isText ? Buffer.from(data) : data;
    this.#dialled.watch.onIn(payload.length);
    this.#write(isText ? OPCODES.text : OPCODES.binary, payload);
    if (this.#target.writableLength > HIGH_BYTES) this.#caller?.pause?.();
  }

  /** Takes the caller's end; code 1005 is a Close frame without one, 1006 a connection that broke off. */
  callerClosed(code: number, reason: string): void {
    this.#isCallerGone = true;
    if (code === 1006) this.#target.destroy();
    else this.#closeTarget(code === 1005 ? undefined : code, reason);
    this.#target.resume();
    this.#finish();
  }

  /** The caller has taken what was on its way. */
  drained(): void {
    this.#target.resume();
  }

  goAway(): void {
    this.#patienceMs = LEAVING_MS;
    this.#closeBoth(1001, 1001, "");
  }

  #toCaller(data: string | Uint8Array<ArrayBuffer>): void {
    const caller = this.#caller;
    if (!caller || this.#isCallerGone || this.#hasClosedCaller) return;
    this.#dialled.watch.onOut(data.length);
    caller.send(data);
    if (caller.pending > HIGH_BYTES) this.#target.pause();
  }

  #write(opcode: number, payload: Uint8Array): void {
    if (!this.#hasClosedTarget) this.#target.write(encodeFrame(opcode, payload, true));
  }

  #closedByTarget(code: number | undefined, reason: string): void {
    this.#closeTarget(code, reason);
    this.#target.end();
    this.#closeCaller(code, reason);
  }

  #closeBoth(targetCode: number, callerCode: number, reason: string): void {
    this.#closeTarget(targetCode, "");
    this.#closeCaller(callerCode, reason);
  }

  #closeTarget(code: number | undefined, reason: string): void {
    this.#write(OPCODES.close, encodeClose(code, reason));
    this.#hasClosedTarget = true;
    // Its own Close frame is waited for now.
    this.#caller?.resume?.();
    this.#linger();
  }

  #closeCaller(code: number | undefined, reason: string): void {
    if (this.#hasClosedCaller || this.#isCallerGone) return;
    this.#hasClosedCaller = true;
    this.#caller?.close(code, reason);
    this.#linger();
  }

  /** The target broke the protocol. */
  #refuse(code: number): void {
    this.#failure = new ProxyError(
      "malformed_answer",
      `Cannot hand on a message: fault ${code}, expected none`,
    );
    const reason = code === 1009 ? "the message is too large" : "the target broke the protocol";
    this.#closeBoth(code, code === 1009 ? 1009 : 1014, reason);
  }

  /** The target's connection is over; without a Close frame it broke off. */
  #endTarget(error?: Error): void {
    if (this.#isTargetOver) return;
    this.#isTargetOver = true;
    if (!this.#hasClosedTarget && !this.#isCallerGone) {
      this.#failure = error ?? brokenOff();
    }
    this.#hasClosedTarget = true;
    this.#caller?.resume?.();
    this.#target.end();
    this.#closeCaller(1014, "the target broke off");
  }

  #linger(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#target.destroy();
      this.#caller?.terminate();
    }, this.#patienceMs);
  }

  #finish(): void {
    if (!this.#isCallerGone || !this.#target.destroyed) return;
    clearTimeout(this.#timer);
    this.#joints.delete(this);
    this.#dialled.watch.onEnd(this.#failure);
  }
}
