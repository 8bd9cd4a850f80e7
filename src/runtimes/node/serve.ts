/**
 * Listens with Node: our own server on connections of `node:net` and `node:tls`.
 * @module
 */

import type { Buffer } from "node:buffer";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Config } from "../../core/settings/config.ts";
import type { Shared } from "../../core/runtime.ts";
import type { Listener } from "../process/listener.ts";
import { type Join, type Open, serveCallers } from "../process/serve-callers.ts";
import type { TlsFiles } from "../process/tls-files.ts";
import { HEAD_MS } from "../../wire/server/connection-deadlines.ts";
import { speaksTls } from "../../wire/server/first-bytes.ts";
import { SocketWire } from "../../wire/socket-wire.ts";
import { putOffTurnEnd } from "../../wire/turn.ts";
import { joinCaller } from "./join-caller.ts";
import { runtime } from "./runtime.ts";

/** Connections that may wait to be accepted; the system may allow fewer. The system drops those beyond, and they try again after a second. */
const BACKLOG = 4_096;

type Take = (socket: Socket, needsHttps?: boolean) => void;

/**
 * Serves a proxy with Node, in this process only.
 *
 * @param shared state shared with other processes of the same proxy; nothing by default
 * @returns the listener, once it listens
 * @throws {ConfigError} (as a rejection) if a setting can't be used, such as an unreadable TLS file
 * @throws {Error} (as a rejection) if the address can't be used; its `code` is `EADDRINUSE` or similar
 * @example
 * ```ts
 * const { port, drain } = await listen(readConfig({ PORT: "0" }));
 * process.once("SIGTERM", drain);
 * ```
 */
export function listen(config: Config, shared?: Shared): Promise<Listener> {
  return serveCallers(config, shared, listenForCallers, runtime, joinSocket);
}

const listenForCallers: Open = async (place, files, callers) => {
  const take: Take = (socket, needsHttps = false) => {
    const isSecure = files !== undefined && !needsHttps;
    socket.ref();
    const peer = { address: socket.remoteAddress ?? "", isSecure, needsHttps };
    callers.take(peer, (watch) => new SocketWire(socket, watch), () => socket.destroy());
  };
  const secure = files && await createSecureServer(take, files);
  const options = { allowHalfOpen: true, noDelay: true };
  const server = createServer(options, (socket) => {
    putOffTurnEnd();
    if (secure) secure.takeFirst(socket);
    else take(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(place.port, place.hostname, BACKLOG, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => void server.close(),
    renew: (next) => secure?.renew(next),
  };
};

/** Joins a WebSocket. It uses the socket itself, which takes less time than a stream around it. */
const joinSocket: Join = (reply, connection, sockets) => {
  const { wire, rest } = connection.release();
  joinCaller(reply, (wire as SocketWire).release(), rest, sockets);
};

/** Makes a server that accepts the connections of an https listener. */
async function createSecureServer(take: Take, files: TlsFiles) {
  const { createServer } = await import("node:tls");
  const server = createServer({ ...files, handshakeTimeout: HEAD_MS }, (socket) => take(socket));
  // A failed handshake must not end the process.
  server.on("tlsClientError", (_error, socket) => void socket.destroy());
  const takeFirst = (socket: Socket) => {
    const close = () => void socket.destroy();
    // A handshake that never ends does not keep a process that has drained.
    socket.unref().on("error", close).setTimeout(HEAD_MS, close);
    socket.once("readable", () => {
      socket.off("error", close).setTimeout(0, close);
      const first = socket.read() as Buffer | null;
      if (!first) return close();
      socket.unshift(first);
      if (speaksTls(first)) server.emit("connection", socket);
      else take(socket, true);
    });
  };
  return { takeFirst, renew: (next: TlsFiles) => server.setSecureContext(next) };
}
