/**
 * `Bun.serve` in front of the core.
 * @module
 */

import http from "node:http";
import { type Config, createConfiguredProxy } from "../index.ts";
import type { Listener } from "./listener.ts";
import { createBunSender } from "./send-bun.ts";

// Room for an `arg` of 60 KB in the address; Bun's own limit is 16 KiB for the whole head.
Object.assign(http, { maxHeaderSize: 65_536 });

/** Serves the proxy with Bun. */
export function listen(config: Config): Promise<Listener> {
  const server = Bun.serve(serverOptions(config));
  return Promise.resolve({ port: server.port ?? config.port, drain: () => server.stop() });
}

/** Options of `Bun.serve`: limits of time and size are the proxy's own. */
export function serverOptions(config: Config) {
  const proxy = createConfiguredProxy(config);
  const lent = { name: `bun ${Bun.version}`, send: createBunSender() };
  return {
    hostname: config.host,
    port: config.port,
    idleTimeout: 0,
    development: false,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch(request: Request, server: Bun.Server<unknown>): Promise<Response> {
      return proxy.handle(request, { ...lent, clientAddress: server.requestIP(request)?.address ?? "" });
    },
  };
}
