/**
 * WebSockets on Node: the core answers the handshake, also in a `node:http` server that is not ours. After a 101, bytes
 * pass unchanged between both connections.
 * @module
 */

import { Buffer } from "node:buffer";
import * as http from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { readUpgrade } from "../../core/http/headers.ts";
import type { Reply } from "../../core/http/reply.ts";
import { DialledSocket } from "../../wire/websocket/dial.ts";
import type { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { joinCaller } from "./join-caller.ts";
import { NodeHeaders } from "./incoming-message.ts";

const isDeno = "deno" in process.versions;

/** Answers a request. If the reply has a `socket`, it must be joined. */
type Answerer = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => Promise<Reply>;
/** Writes a response without a `socket`. */
type Writer = (reply: Reply, outgoing: http.ServerResponse, method: string) => void;

/** How handshakes are answered. */
export interface Handshakes {
  answer: Answerer;
  write: Writer;
  sockets: OpenSockets;
}

/** Answers a request that the server emitted as `upgrade`. If it only offers another protocol (`h2c`), returns it. */
export function takeUpgrade(
  { answer, write, sockets }: Handshakes,
  server: http.Server | TlsServer,
  incoming: http.IncomingMessage,
  stream: Duplex,
  head: Buffer,
): void {
  if (readUpgrade(new NodeHeaders(incoming)) === undefined) return readAgain(server, incoming, stream, head);
  endOnError(incoming.socket, stream);
  const { socket } = incoming;
  if (head.length) socket.unshift(head);
  inTurn(socket, () => answerUpgrade({ answer, write, sockets }, incoming, socket));
}

function answerUpgrade(
  { answer, write, sockets }: Handshakes,
  incoming: http.IncomingMessage,
  socket: Socket,
): void {
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

/**
 * Waits until the responses to earlier requests of the connection have been sent (pipelining, RFC 9112 §9.3.2): a connection is
 * assigned to one response at a time. If it ends with one of them, nothing follows.
 */
function inTurn(socket: Socket, begin: () => void): void {
  const { _httpMessage: earlier } = socket as { _httpMessage?: http.ServerResponse | null };
  if (!earlier) return void (socket.writable && begin());
  // The server passes `drain` on to the response only while the connection is in its parser.
  const goOn = () => void earlier.emit("drain");
  socket.on("drain", goOn);
  earlier.once("finish", () => {
    socket.off("drain", goOn);
    inTurn(socket, begin);
  });
}

/**
 * Ends a connection that fails: Node takes its own listener off with an upgrade. If the body of the request has not come
 * whole, Node (26) passes another stream instead of the socket, which fails with it.
 */
function endOnError(...streams: Duplex[]): void {
  for (const stream of streams) stream.off("error", destroy).on("error", destroy);
}

function destroy(this: Duplex): void {
  this.destroy();
}

/** How long a caller may go on after its response, in milliseconds: no deadline of the server's holds here. */
const LINGER_MS = 30_000;

/** Makes the response to a request whose connection has left the parser. The connection ends after the response. */
function takeSocket(incoming: http.IncomingMessage, socket: Socket): http.ServerResponse {
  const outgoing = new http.ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  socket.on("drain", () => outgoing.emit("drain"));
  outgoing.once("finish", () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
  });
  return outgoing;
}

/** Watches for a close during the handshake with the target: nothing reads then, so it would go unnoticed. */
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
  incoming: http.IncomingMessage,
  stream: Duplex,
  head: Buffer,
): void {
  const { socket } = incoming;
  endOnError(socket, stream);
  if (isParsed(incoming)) return inTurn(socket, () => answerParsed(server, incoming));
  // Nobody knows where in a chunk Deno has stopped.
  if (!incoming.complete && incoming.headers["transfer-encoding"]) return void socket.destroy();
  const begun = incoming.read() as Buffer | null ?? Buffer.alloc(0);
  socket.unshift(Buffer.concat([Buffer.from(formatRequest(incoming), "latin1"), begun, head]));
  const event = (socket as TLSSocket).encrypted ? "secureConnection" : "connection";
  inTurn(socket, () => server.emit(event, socket));
}

/**
 * True for a body that comes by the request, as on Node (26) and Bun. Older versions of Node leave it to the connection, and so
 * does Deno (2.9) with what has not arrived yet.
 */
function isParsed({ complete, readableLength }: http.IncomingMessage): boolean {
  return complete ? readableLength > 0 : !isDeno;
}

function answerParsed(server: http.Server | TlsServer, incoming: http.IncomingMessage): void {
  const outgoing = takeSocket(incoming, incoming.socket);
  if (/100-continue/i.test(incoming.headers.expect ?? "")) outgoing.writeContinue();
  server.emit("request", incoming, outgoing);
}

/** The head of a request, without its wish for another protocol. */
function formatRequest({ method, url, httpVersion, rawHeaders }: http.IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = rawHeaders.slice(i, i + 2);
    const isOption = name.toLowerCase() === "connection";
    const kept = isOption ? value.replace(/(^|,)\s*upgrade\s*(?=,|$)/gi, "$1") : value;
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${kept}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}
