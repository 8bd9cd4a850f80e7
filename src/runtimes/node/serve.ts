/**
 * Listens with Node: our own server on connections of `node:net` and `node:tls`.
 * @module
 */

import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from "node:net";
import type { Server as SecureServer, TLSSocket } from "node:tls";
import type { Config } from "../../core/settings/config.ts";
import { OpenRequests } from "../../core/exchange/open-requests.ts";
import type { Shared } from "../../core/runtime.ts";
import { createParts } from "../process/lent.ts";
import { findOwnAddresses } from "../process/own-addresses.ts";
import type { Listener } from "../process/listener.ts";
import { rereadAll } from "../process/reread.ts";
import { readTlsFiles, rereadTlsFiles, type TlsFiles } from "../process/tls-files.ts";
import { createAnswering, type Join } from "../answering.ts";
import { Callers } from "../../wire/server/callers.ts";
import { SocketWire } from "../../wire/server/socket-wire.ts";
import { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { joinCaller } from "./join-caller.ts";
import { serverRuntime } from "./runtime.ts";

/** Milliseconds for a TLS handshake. */
const HANDSHAKE_MS = 15_000;

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
export async function listen(config: Config, shared?: Shared): Promise<Listener> {
  const own = await findOwnAddresses(config.host, () => (server.address() as AddressInfo).port);
  const sockets = new OpenSockets(config.idleTimeoutMs);
  const open = new OpenRequests();
  const stopped = new AbortController();
  const parts = { ...await createParts(config, shared, !own.listensOnLoopback, stopped.signal), open };
  const files = readTlsFiles(config);
  const runtime = { ...serverRuntime, ...own };
  const callers = new Callers(createAnswering(config, runtime, parts, sockets, joinSocket));
  const server = await createServer(callers, files);
  const rereads = rereadTlsFiles(config, files, (next) => (server as SecureServer).setSecureContext(next));
  return await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        isLocal: own.listensOnLoopback,
        drain: async () => {
          stopped.abort();
          server.close();
          await Promise.all([callers.drain(), sockets.close()]);
        },
        countOpen: () => open.size,
        cut: () => open.cut(),
        reread: () => rereadAll([...rereads, ...parts.rereads]),
      });
    });
  });
}

/** Joins a WebSocket. It uses the socket itself, which takes less time than a stream around it. */
const joinSocket: Join = (reply, connection, sockets) => {
  const { wire, rest } = connection.release();
  joinCaller(reply, (wire as SocketWire).release(), rest, sockets);
};

/** Makes the server, which does not listen yet. */
async function createServer(callers: Callers, files: TlsFiles | undefined): Promise<Server> {
  const take = (socket: Socket) => {
    const peer = { address: socket.remoteAddress ?? "", isSecure: files !== undefined };
    callers.take(peer, (watch) => new SocketWire(socket, watch), () => socket.destroy());
  };
  const options = { allowHalfOpen: true, noDelay: true };
  if (!files) return createPlainServer(options, take);
  const { createServer: createSecureServer } = await import("node:tls");
  const server = createSecureServer({ ...options, ...files, handshakeTimeout: HANDSHAKE_MS }, take);
  // A failed handshake must not end the process.
  server.on("tlsClientError", (_error, socket: TLSSocket) => void socket.destroy());
  return server;
}
