/**
 * WebSockets on `Bun.serve`: first the handshake with the target, then the caller's.
 * @module
 */

import { type Reply, toResponse } from "../../core/http/reply.ts";
import { toDirect } from "./direct-stream.ts";
import { CallerSide, refuseCaller } from "../../wire/websocket/caller-side.ts";
import { DialledSocket } from "../../wire/websocket/dial.ts";
import type { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { MAX_MESSAGE_BYTES } from "../../wire/websocket/frames.ts";

/** A caller that is silent for this many seconds gets a ping. Without a reply it is disconnected. */
const IDLE_SECONDS = 120;
/** Bun drops messages that exceed this buffer. It fits the largest message plus the data that is read ahead. */
const BUFFER_BYTES = 2 * MAX_MESSAGE_BYTES;
/** The caller gets more once fewer bytes than this are pending. */
const LOW_BYTES = 256 * 1024;

/** Returns the response, or joins the caller's side to the target's and returns `undefined`. */
export function answerBun(
  reply: Reply,
  request: Request,
  server: Bun.Server<CallerSide>,
  sockets: OpenSockets,
): Response | undefined {
  const { socket } = reply;
  if (!(socket instanceof DialledSocket)) return toResponse(reply, request, toDirect);
  const headers = new Headers([...reply.headers]);
  headers.delete("sec-websocket-accept");
  // Without this field, Bun (1.4) would choose the first protocol. If the field is empty, Bun leaves it out.
  if (!headers.has("sec-websocket-protocol")) headers.set("sec-websocket-protocol", "");
  if (server.upgrade(request, { headers, data: new CallerSide(socket, sockets) })) return undefined;
  return toResponse(refuseCaller(socket), request);
}

/** The option `websocket` of `Bun.serve`. */
export const BUN_WEBSOCKET: Bun.WebSocketHandler<CallerSide> = {
  maxPayloadLength: MAX_MESSAGE_BYTES,
  backpressureLimit: BUFFER_BYTES,
  idleTimeout: IDLE_SECONDS,
  sendPings: true,
  perMessageDeflate: false,
  open(socket) {
    socket.data.open({
      get pending() {
        return socket.getBufferedAmount();
      },
      send: (data) => void socket.send(data),
      // Bun (1.4) sends 1000 if given no code, and no code if given 0.
      close: (code, reason) => socket.close(code ?? 0, reason),
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      terminate: () => socket.terminate(),
    });
  },
  message: (socket, data) => socket.data.take(data),
  drain(socket) {
    if (socket.getBufferedAmount() < LOW_BYTES) socket.data.drained();
  },
  close: (socket, code, reason) => socket.data.closed(code, reason),
};
