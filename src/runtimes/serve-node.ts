/**
 * A `node:http` server in front of the core.
 * @module
 */

import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { type Config, createConfiguredProxy, type Runtime } from "../index.ts";
import { lend } from "./lend.ts";
import type { Listener } from "./listener.ts";
import { NodeRequest } from "./node-request.ts";
import { writeResponse } from "./node-response.ts";
import { createLog } from "./log-writer.ts";
import { createHttpSender } from "./send-http.ts";
import { readTlsFiles } from "./tls-files.ts";

/** Room for an `arg` of 60 KB in the address. */
const MAX_HEAD_BYTES = 65_536;
/** A head must be here after this many milliseconds (slow-loris). */
const HEAD_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 75_000;
const DRAIN_POLL_MS = 50;

/** Serves the proxy with Node. */
export async function listen(config: Config): Promise<Listener> {
  const lent = await lend(config.host, () => (server.address() as AddressInfo).port);
  const server = createServer(config, lent);
  return await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        isLocal: lent.listensOnLoopback,
        drain: () => drain(server),
      });
    });
  });
}

/** The server, not yet listening. */
export function createServer(config: Config, lent: Runtime): http.Server | https.Server {
  const proxy = createConfiguredProxy(config, createLog(config));
  const runtime = {
    ...lent,

    name: `node ${process.version.slice(1)}`,
    send: createHttpSender({ reuseForAll: true }),
  };
  const answer = async (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => {
    const request = new NodeRequest(incoming, outgoing);
    const clientAddress = incoming.socket.remoteAddress ?? "";
    writeResponse(await proxy.reply(request, { ...runtime, clientAddress }), outgoing, request.method);
  };
  const options = {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: HEAD_TIMEOUT_MS,
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  // What can't be written must not take the process along.
  const listener = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) =>
    void answer(incoming, outgoing).catch(() => outgoing.destroy());
  const files = readTlsFiles(config);
  const server = files
    ? https.createServer({ ...options, ...files }, listener)
    : http.createServer(options, listener);
  server.maxHeadersCount = 0;
  // Without a listener Node drops a CONNECT without an answer.
  server.on("connect", (incoming: http.IncomingMessage, socket: import("node:net").Socket) => {
    const outgoing = new http.ServerResponse(incoming);
    outgoing.shouldKeepAlive = false;
    outgoing.assignSocket(socket);
    outgoing.once("finish", () => socket.end());
    listener(incoming, outgoing);
  });
  return server;
}

/** Connections that become idle are closed at once; `close` alone leaves them open until they time out. */
function drain(server: http.Server): Promise<void> {
  const timer = setInterval(() => server.closeIdleConnections(), DRAIN_POLL_MS);
  return new Promise((resolve) =>
    server.close(() => {
      clearInterval(timer);
      resolve();
    })
  );
}
