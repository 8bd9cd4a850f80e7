/**
 * WebSockets on Node: the core answers the handshake, also on a `node:http` server of others. After a 101 the bytes of both
 * connections pass unchanged.
 * @module
 */

import { Buffer } from "node:buffer";
import * as http from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { readUpgrade } from "../../core/http/headers.ts";
import type { Reply } from "../../core/http/reply.ts";
import { DialledSocket } from "../../wire/websocket/dial.ts";
import type { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { joinCaller } from "./join-caller.ts";
import { NodeHeaders } from "./incoming-message.ts";

/** Answers a request; with a `socket` if it must be joined. */
export type Answerer = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => Promise<Reply>;
/** Writes every other response. */
export type Writer = (reply: Reply, outgoing: http.ServerResponse, method: string) => void;

/** How handshakes are answered. */
export interface Handshakes {
  answer: Answerer;
  write: Writer;
  sockets: OpenSockets;
}

/** Answers one request that the server gave as an `upgrade`; one that only offers it (`h2c`) goes back to the server. */
export function takeUpgrade(
  { answer, write, sockets }: Handshakes,
  server: http.Server | TlsServer,
  incoming: http.IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  socket.on("error", () => socket.destroy());
  if (readUpgrade(new NodeHeaders(incoming)) === undefined) return readAgain(server, incoming, socket, head);
  if (head.length) socket.unshift(head);
  const outgoing = takeSocket(incoming, socket);
  const stopWatching = watchEnd(socket);
  answer(incoming, outgoing).then((reply) => {
    stopWatching();
    if (!(reply.socket instanceof DialledSocket)) {
      write(reply, outgoing, incoming.method ?? "GET");
      socket.resume();
    } else if (socket.destroyed) reply.socket.cancel();
    else {
      outgoing.detachSocket(socket);
      joinCaller(reply, socket, undefined, sockets);
    }
  }).catch(() => socket.destroy());
}

/** Makes the response to a request whose connection has left its parser. The connection ends with it. */
export function takeSocket(incoming: http.IncomingMessage, socket: Socket): http.ServerResponse {
  const outgoing = new http.ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  // The server emits it only while the connection is in its parser.
  socket.on("drain", () => outgoing.emit("drain"));
  outgoing.once("finish", () => socket.end());
  return outgoing;
}

/** Nobody reads during the handshake with the target, so a closed connection would go unnoticed. */
function watchEnd(socket: Socket): () => void {
  const look = () => {
    if (socket.readableLength === 0) socket.read();
  };
  const leave = () => socket.destroy();
  socket.on("readable", look).once("end", leave);
  return () => socket.off("readable", look).off("end", leave);
}

/**
 * Returns a request to the server if it only offers another protocol (`h2c`), or may not ask for any. With an `upgrade`
 * listener, versions of Node (20) without `shouldUpgradeCallback` take all such requests out of the parser, including
 * the body, although the field may be ignored (RFC 9110 §7.8).
 */
export function readAgain(
  server: http.Server | TlsServer,
  { method, url, httpVersion, rawHeaders }: http.IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = rawHeaders.slice(i, i + 2);
    const isOption = name.toLowerCase() === "connection";
    const kept = isOption ? value.replace(/(^|,)\s*upgrade\s*(?=,|$)/gi, "$1") : value;
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${kept}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit((socket as TLSSocket).encrypted ? "secureConnection" : "connection", socket);
}
