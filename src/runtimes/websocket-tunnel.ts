/**
 * Joins two connections of WebSockets and lets the bytes pass: frames, extensions, pings and close codes stay untouched.
 * @module
 */

import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { DialledSocket } from "./websocket-dial.ts";
import { encodeClose, encodeFrame, FrameTracker, OPCODES } from "./websocket-frames.ts";
import type { Joint, Joints } from "./websocket-joints.ts";

/** The slower side may take this many milliseconds to close after the other one. */
export const LINGER_MS = 30_000;
/** The same once the proxy stops. */
export const LEAVING_MS = 3_000;

/** Joins the caller's connection, past its own 101, to the target's. */
export function openTunnel(caller: Socket, { socket: target, watch }: DialledSocket, joints: Joints): void {
  const up = new Lane(caller, target, true, watch.onIn);
  const down = new Lane(target, caller, false, watch.onOut);
  let timer: NodeJS.Timeout | undefined;
  let failure: Error | undefined;
  let patienceMs = LINGER_MS;
  const linger = () => {
    clearTimeout(timer);
    timer = setTimeout(() => [caller, target].forEach((socket) => socket.destroy()), patienceMs);
  };
  const joint: Joint = {
    goAway() {
      for (const lane of [up, down]) lane.close(1001, "");
      patienceMs = LEAVING_MS;
      linger();
    },
  };
  // A caller that is gone without a word leaves the target a connection that breaks off too.
  up.onEnd = () => {
    target.end();
    linger();
  };
  down.onEnd = (error) => {
    const isExpected = down.hasClosed || caller.readableEnded || caller.destroyed;
    if (!isExpected && !up.hasClosed) failure = error ?? brokenOff();
    if (isExpected) caller.end();
    else down.close(1014, "the target broke off");
    linger();
  };
  const finish = () => {
    if (!caller.destroyed || !target.destroyed) return;
    clearTimeout(timer);
    joints.delete(joint);
    watch.onEnd(failure);
  };
  for (const socket of [caller, target]) socket.once("close", finish);
  joints.add(joint);
  up.start();
  down.start();
}

/** The failure of a target that is gone without a Close frame. */
export function brokenOff(): Error {
  return Object.assign(new Error("closed without a Close frame"), { code: "ECONNRESET" });
}

/** One direction. */
class Lane {
  /** Called once, when the source ends or breaks off. */
  onEnd: (error?: Error) => void = () => {};
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #isMasked: boolean;
  readonly #onBytes: (bytes: number) => void;
  readonly #tracker = new FrameTracker();
  /** A Close frame of the proxy's own, which waits for the end of the frame that passes. */
  #farewell: Buffer | undefined;
  #isOver = false;

  /** @param isMasked whether frames in this direction are those of a client */
  constructor(from: Socket, to: Socket, isMasked: boolean, onBytes: (bytes: number) => void) {
    this.#from = from;
    this.#to = to;
    this.#isMasked = isMasked;
    this.#onBytes = onBytes;
  }

  /** True when a Close frame has passed, or the proxy has sent its own. */
  get hasClosed(): boolean {
    return this.#tracker.hasClosed || this.#isOver;
  }

  start(): void {
    let hasEnded = false;
    const end = (error?: Error) => {
      if (hasEnded) return;
      hasEnded = true;
      this.onEnd(error);
    };
    const from = this.#from;
    from.on("data", (chunk: Buffer) => this.#pass(chunk));
    from.once("end", () => end());
    from.once("error", end);
    from.once("close", () => end());
    this.#to.on("drain", () => from.resume());
    // Nobody reads any more, so what comes is let go: else its end would never be seen.
    this.#to.once("close", () => from.resume());
    from.resume();
    // It may have ended before anyone asked.
    if (from.readableEnded || from.destroyed) end(from.errored ?? undefined);
  }

  /** Sends a Close frame of the proxy's own between two frames, and ends; in the middle of one it cuts where no more comes. */
  close(code: number, reason: string): void {
    if (this.hasClosed) return;
    this.#farewell = encodeFrame(OPCODES.close, encodeClose(code, reason), this.#isMasked);
    if (this.#tracker.isBetween) this.#sayFarewell();
    else if (this.#from.readableEnded || this.#from.destroyed) this.#to.destroy();
  }

  #pass(chunk: Buffer): void {
    if (this.#isOver || this.#to.destroyed) return;
    const end = this.#tracker.read(chunk);
    const isLast = this.#farewell !== undefined && end >= 0;
    const passed = isLast ? chunk.subarray(0, end) : chunk;
    this.#onBytes(passed.length);
    if (!this.#to.write(passed)) this.#from.pause();
    if (isLast) this.#sayFarewell();
  }

  #sayFarewell(): void {
    this.#isOver = true;
    if (this.#farewell) this.#to.write(this.#farewell);
    this.#to.end();
    this.#from.resume();
  }
}
