/**
 * Joins WebSockets on Node: the bytes of both connections pass unchanged.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Reply } from "../../core/http/reply.ts";
import { ByteSide, formatHead } from "../../wire/websocket/bytes.ts";
import { type DialledSocket, KEEP_ALIVE_MS } from "../../wire/websocket/dial.ts";
import { joinSides } from "../../wire/websocket/join.ts";
import type { OpenSockets } from "../../wire/websocket/open-sockets.ts";

/**
 * Joins a caller's connection to the target's, after the 101.
 *
 * @param rest bytes already read from the caller
 */
export function joinCaller(
  reply: Reply,
  socket: Socket,
  rest: Buffer | undefined,
  sockets: OpenSockets,
): void {
  const { socket: dialled, watch } = reply.socket as DialledSocket;
  socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS).setTimeout(0);
  // A flowing stream drops bytes that are unshifted to it (Node 20).
  if (rest?.length) socket.pause().unshift(rest);
  socket.write(formatHead(reply), "latin1");
  joinSides(new ByteSide(socket, false), new ByteSide(dialled, true), watch, sockets);
}
