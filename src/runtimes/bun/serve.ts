/**
 * `Bun.serve` in front of the core.
 * @module
 */

import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import { isStreaming } from "../../http/body.ts";
import { OpenRequests } from "../../exchange/open-requests.ts";
import type { Parts } from "../../exchange/record.ts";
import type { Shared } from "../../exchange/runtime.ts";
import { BunRequest } from "./request.ts";
import { serverRuntime } from "./runtime.ts";
import { checkBun } from "./version.ts";
import { createParts } from "../process/parts.ts";
import { bindClientAddress } from "../process/client-address.ts";
import { findOwnAddresses, type OwnAddresses } from "../process/own-addresses.ts";
import type { Listener } from "../process/listener.ts";
import { rereadAll } from "../process/reread.ts";
import { type Served, Succession } from "../process/succession.ts";
import { readTlsFiles, rereadTlsFiles, type TlsFiles } from "../process/tls-files.ts";
import { findPort, sharesPorts } from "../process/claim-port.ts";
import { answerBun, BUN_WEBSOCKET } from "./websocket.ts";
import type { CallerSide } from "../websocket/caller.ts";
import { OpenSockets } from "../websocket/open-sockets.ts";

const POLL_MS = 20;

// Everything that a browser may send: 180 cookies of 4 KB. The core decides what it accepts. Bun's own limit is 16 KiB.
Object.assign(http, { maxHeaderSize: 1_048_576 });

/** Serves the proxy with Bun. */
export async function listen(config: Config, shared?: Shared): Promise<Listener> {
  const files = readTlsFiles(config);
  const own = await findOwnAddresses(config.host, () => served.port);
  const sockets = new OpenSockets();
  const open = new OpenRequests();
  const parts = { ...await createParts(config, shared, !own.listensOnLoopback), open };
  const options = serverOptions(config, own, parts, sockets);
  const isShared = shared !== undefined || (files !== undefined && sharesPorts());
  const port = isShared && !shared ? await findPort(config) : config.port;
  const serve = (port: number, tls: TlsFiles | undefined) =>
    toServed(Bun.serve({ ...options, port, reusePort: isShared, ...(tls && { tls }) }));
  const served = new Succession(serve, isShared, port, files);
  // `reload` keeps the certificate (Bun 1.4), so another server takes its place.
  const rereads = rereadTlsFiles(config, files, (next) => served.replace(next));
  return {
    port: served.port,
    isLocal: own.listensOnLoopback,
    drain: async () => void await Promise.all([served.drain(), sockets.close()]),
    cut: () => open.cut(),
    reread: () => rereadAll([...rereads, ...parts.rereads]),
  };
}

function toServed(server: Bun.Server<CallerSide>): Served {
  const stop = () => server.stop();
  return {
    port: server.port!,
    stop,
    // It does not wait for connections that have sent part of a request head or TLS handshake. Bun (1.4) does.
    drain: () => Promise.race([stop(), untilIdle(server)]),
  };
}

/** Settles when every response is sent completely. */
async function untilIdle(server: Bun.Server<CallerSide>): Promise<void> {
  while (server.pendingRequests > 0) await sleep(POLL_MS);
}

/**
 * Options of `Bun.serve`. The proxy itself limits times and sizes.
 *
 * @throws {ConfigError} if Bun is too old
 */
export function serverOptions(config: Config, own: OwnAddresses, parts: Parts, sockets = new OpenSockets()) {
  checkBun(Bun.version);
  const proxy = createConfiguredProxy(config, parts);
  sockets.onClose(() => proxy.close());
  const files = readTlsFiles(config);
  const runtimeFor = bindClientAddress({ ...serverRuntime, ...own });
  return {
    hostname: config.host,
    port: config.port,
    idleTimeout: 0,
    development: false,
    // Without this, two proxies on one port would silently share its connections.
    reusePort: false,
    ...(files && { tls: files }),
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    websocket: BUN_WEBSOCKET,
    async fetch(request: Request, server: Bun.Server<CallerSide>): Promise<Response | undefined> {
      const clientAddress = server.requestIP(request)?.address ?? "";
      const incoming = new BunRequest(request);
      const reply = await proxy.reply(incoming, runtimeFor(clientAddress));
      if (isStreaming(reply.body)) incoming.signal.watch();
      else incoming.signal.stop();
      return answerBun(reply, request, server, sockets);
    },
  };
}
