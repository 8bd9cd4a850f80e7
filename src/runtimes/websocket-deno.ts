/**
 * WebSockets behind `Deno.serve`: the target is asked first, then the caller is let in.
 * @module
 */

import { type Reply, toResponse } from "../index.ts";
import { DialledSocket } from "./websocket-dial.ts";
import type { Joints } from "./websocket-joints.ts";
import { type CallerSide, Relay } from "./websocket-relay.ts";

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

/** Gives the answer; with a 101 it joins the caller's side to the target's. */
export function answerDeno(reply: Reply, request: Request, joints: Joints): Response {
  if (!(reply.socket instanceof DialledSocket)) return toResponse(reply, request);
  try {
    const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: IDLE_SECONDS });
    // Its option `protocol` knows no list without spaces (2.9), so the field is written like every other.
    for (const [name, value] of reply.headers) {
      if (name !== "sec-websocket-accept") response.headers.append(name, value);
    }
    joinSocket(socket, new Relay(reply.socket, joints));
    return response;
  } catch {
    reply.socket.cancel();
    return new Response(null, { status: 400 });
  }
}

function joinSocket(socket: WebSocket, relay: Relay): void {
  let polling: ReturnType<typeof setInterval> | undefined;
  let isOpen = false;
  const poll = () => {
    if (socket.bufferedAmount >= LOW_BYTES && socket.readyState <= WebSocket.OPEN) return;
    clearInterval(polling);
    polling = undefined;
    relay.drained();
  };
  const side: CallerSide = {
    get pending() {
      return socket.bufferedAmount;
    },
    send(data) {
      socket.send(data);
      if (socket.bufferedAmount >= LOW_BYTES) polling ??= setInterval(poll, POLL_MS);
    },
    close: (code, reason) => code === undefined ? socket.close() : socket.close(code, reason),
    // Deno has no other way to let go of a connection.
    terminate: () => relay.callerClosed(1006, ""),
  };
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    isOpen = true;
    relay.start(side);
  };
  socket.onmessage = ({ data }) => relay.fromCaller(typeof data === "string" ? data : new Uint8Array(data));
  // Deno (2.9) gives 0 for a connection that broke off.
  socket.onclose = ({ code, reason }) => relay.callerClosed(code || 1006, reason);
  // Where the connection broke off before it was joined nothing else tells.
  socket.onerror = () => isOpen || relay.callerClosed(1006, "");
}
