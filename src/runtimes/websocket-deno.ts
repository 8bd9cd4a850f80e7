/**
 * WebSockets behind `Deno.serve`: the target is asked first, then the caller is let in.
 * @module
 */

import { type Reply, toResponse } from "../index.ts";
import { CallerSide, type KeptSocket, refuseCaller } from "./websocket-caller.ts";
import { DialledSocket } from "./websocket-dial.ts";
import type { Message } from "./websocket-join.ts";
import type { Joints } from "./websocket-joints.ts";

/** The member of Deno that is used here, so that every compiler can check this file. */
declare const Deno: {
  upgradeWebSocket(
    request: Request,
    options: { idleTimeout: number },
  ): { socket: WebSocket; response: Response };
};

/** A caller that is silent for this many seconds is pinged; one that does not answer is gone. */
const IDLE_SECONDS = 120;
/** Deno does not tell when bytes have left, so it is asked every so many milliseconds while some wait. */
const POLL_MS = 10;
/** With less than this on its way the caller gets more. */
const LOW_BYTES = 256 * 1024;
/** Deno can't stop reading a caller, so one that is this far ahead of a target that should be waited for is closed. */
const MAX_AHEAD_BYTES = 16 * 1024 * 1024;

/** Gives the answer; with a 101 it joins the caller's side to the target's. */
export function answerDeno(reply: Reply, request: Request, joints: Joints): Response {
  if (!(reply.socket instanceof DialledSocket)) return toResponse(reply, request);
  try {
    const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: IDLE_SECONDS });
    // Its option `protocol` knows no list without spaces (2.9), so the field is written like every other.
    for (const [name, value] of reply.headers) {
      if (name !== "sec-websocket-accept") response.headers.append(name, value);
    }
    joinSocket(socket, new CallerSide(reply.socket, joints));
    return response;
  } catch {
    return refuseCaller(reply.socket);
  }
}

function joinSocket(socket: WebSocket, side: CallerSide): void {
  const kept = new KeptByDeno(socket, side);
  let isOpen = false;
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    isOpen = true;
    side.open(kept);
  };
  socket.onmessage = ({ data }) => kept.take(typeof data === "string" ? data : new Uint8Array(data));
  // Deno (2.9) gives 0 for a connection that broke off.
  socket.onclose = ({ code, reason }) => side.closed(code || 1006, reason);
  // Where the connection broke off before it was joined nothing else tells.
  socket.onerror = () => isOpen || side.closed(1006, "");
}

/** A WebSocket of `Deno.serve`. */
class KeptByDeno implements KeptSocket {
  readonly #socket: WebSocket;
  readonly #side: CallerSide;
  #polling: ReturnType<typeof setInterval> | undefined;
  #isPaused = false;
  #aheadBytes = 0;

  constructor(socket: WebSocket, side: CallerSide) {
    this.#socket = socket;
    this.#side = side;
  }

  get pending(): number {
    return this.#socket.bufferedAmount;
  }

  take(data: Message): void {
    if (this.#isPaused) this.#aheadBytes += data.length;
    if (this.#aheadBytes > MAX_AHEAD_BYTES) this.#side.refuse(1013, "the target is too slow");
    else this.#side.take(data);
  }

  send(data: Message): void {
    this.#socket.send(data);
    if (this.pending >= LOW_BYTES) this.#polling ??= setInterval(() => this.#poll(), POLL_MS);
  }

  close(code: number | undefined, reason: string): void {
    if (code === undefined) this.#socket.close();
    else this.#socket.close(code, reason);
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#aheadBytes = 0;
  }

  terminate(): void {
    // Deno has no other way to let go of a connection.
    this.#side.closed(1006, "");
  }

  #poll(): void {
    if (this.pending >= LOW_BYTES && this.#socket.readyState <= WebSocket.OPEN) return;
    clearInterval(this.#polling);
    this.#polling = undefined;
    this.#side.drained();
  }
}
