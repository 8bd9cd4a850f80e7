/**
 * A `node:http` server in front of the core.
 * @module
 */

import * as http from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { type Config, createConfiguredProxy } from "../index.ts";
import type { Listener } from "./listener.ts";
import { NodeRequest } from "./node-request.ts";
import { writeResponse } from "./node-response.ts";
import { createHttpSender } from "./send-http.ts";

/** Room for an `arg` of 60 KB in the address. */
const MAX_HEAD_BYTES = 65_536;
/** A head must be here after this many milliseconds (slow-loris). */
const HEAD_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 75_000;

/** Serves the proxy with Node. */
export function listen(config: Config): Promise<Listener> {
  const server = createServer(config);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, drain: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

/** The server, not yet listening. */
export function createServer(config: Config): http.Server {
  const proxy = createConfiguredProxy(config);
  const lent = { name: `node ${process.version.slice(1)}`, send: createHttpSender({ reuseForAll: true }) };
  const answer = async (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => {
    const request = new NodeRequest(incoming, outgoing);
    const clientAddress = incoming.socket.remoteAddress ?? "";
    await writeResponse(await proxy.handle(request, { ...lent, clientAddress }), outgoing, request.method);
  };
  const options = {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: HEAD_TIMEOUT_MS,
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const server = http.createServer(options, (incoming, outgoing) => void answer(incoming, outgoing));
  server.maxHeadersCount = 0;
  // Without a listener Node drops a CONNECT without an answer.
  server.on("connect", (incoming: http.IncomingMessage, socket: import("node:net").Socket) => {
    const outgoing = new http.ServerResponse(incoming);
    outgoing.shouldKeepAlive = false;
    outgoing.assignSocket(socket);
    outgoing.once("finish", () => socket.end());
    void answer(incoming, outgoing);
  });
  return server;
}
