/**
 * A `node:http` server in front of the core.
 * @module
 */

import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Config } from "../../settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import { OpenRequests } from "../../exchange/open-requests.ts";
import type { Parts } from "../../exchange/record.ts";
import type { Shared } from "../../exchange/runtime.ts";
import { watchConnections } from "./drain.ts";
import { createParts } from "../process/parts.ts";
import { bindClientAddress } from "../process/client-address.ts";
import { findOwnAddresses, type OwnAddresses } from "../process/own-addresses.ts";
import type { Listener } from "../process/listener.ts";
import { NodeRequest } from "./request.ts";
import { writeResponse } from "./response.ts";
import { serverRuntime } from "./runtime.ts";
import { refuseOldCodings } from "./refuse.ts";
import { rereadAll } from "../process/reread.ts";
import { readTlsFiles, rereadTlsFiles, type TlsFiles } from "../process/tls-files.ts";
import { OpenSockets } from "../websocket/open-sockets.ts";
import { leavesParser, serveUpgrades, takeSocket, type UpgradeOptions } from "./websocket.ts";

/** Times in milliseconds. */
const SERVER_OPTIONS: http.ServerOptions & UpgradeOptions = {
  // Everything that a browser may send: 180 cookies of 4 KB. The core decides what it accepts.
  maxHeaderSize: 1_048_576,
  // Time limit for the request headers (slowloris).
  headersTimeout: 15_000,
  requestTimeout: 0,
  keepAliveTimeout: 75_000,
  shouldUpgradeCallback: leavesParser,
};

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
  const sockets = new OpenSockets();
  const open = new OpenRequests();
  const stopped = new AbortController();
  const parts = { ...await createParts(config, shared, !own.listensOnLoopback, stopped.signal), open };
  const files = readTlsFiles(config);
  const server = createServer(config, own, parts, { sockets, files });
  const drain = watchConnections(server);
  const rereads = rereadTlsFiles(config, files, (next) => (server as https.Server).setSecureContext(next));
  return await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        isLocal: own.listensOnLoopback,
        drain: async () => {
          stopped.abort();
          await Promise.all([drain(), sockets.close()]);
        },
        cut: () => open.cut(),
        reread: () => rereadAll([...rereads, ...parts.rereads]),
      });
    });
  });
}

/** What a server is made from, beside its proxy. */
export interface ServerParts {
  sockets?: OpenSockets;
  /** Absent for plain http. */
  files?: TlsFiles | undefined;
}

/** Makes the server; it does not listen yet. */
export function createServer(
  config: Config,
  own: OwnAddresses,
  parts: Parts,
  { sockets = new OpenSockets(), files }: ServerParts = {},
): http.Server | https.Server {
  const proxy = createConfiguredProxy(config, parts);
  sockets.onClose(() => proxy.close());
  const runtimeFor = bindClientAddress({ ...serverRuntime, ...own });
  const answer = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => {
    const clientAddress = incoming.socket.remoteAddress ?? "";
    return proxy.reply(new NodeRequest(incoming, outgoing), runtimeFor(clientAddress));
  };
  const respond = async (incoming: http.IncomingMessage, outgoing: http.ServerResponse) =>
    writeResponse(await answer(incoming, outgoing), outgoing, incoming.method ?? "GET");
  // A write error must not end the process.
  const listener = refuseOldCodings((incoming, outgoing) =>
    void respond(incoming, outgoing).catch(() => outgoing.destroy())
  );
  const server = files
    ? https.createServer({ ...SERVER_OPTIONS, ...files }, listener)
    : http.createServer(SERVER_OPTIONS, listener);
  server.maxHeadersCount = 0;
  // Without a listener Node answers an unknown expectation with an empty 417.
  server.on("checkExpectation", listener);
  serveUpgrades(server, sockets, answer, writeResponse);
  // Without a listener Node drops a CONNECT silently.
  server.on("connect", (incoming: http.IncomingMessage, socket: Socket) => {
    // The server has taken its own listener away, and a reset without any would end the process.
    socket.on("error", () => socket.destroy());
    listener(incoming, takeSocket(incoming, socket));
  });
  return server;
}
