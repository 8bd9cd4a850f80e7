/**
 * `Deno.serve` in front of the core.
 * @module
 */

import { type Config, createConfiguredProxy } from "../index.ts";
import type { Listener } from "./listener.ts";
import { createHttpSender } from "./send-http.ts";

/** The members of Deno that are used here, so that every compiler can check this file. */
declare const Deno: {
  version: { deno: string };
  serve(options: ServeOptions, handler: Handler): { addr: { port: number }; shutdown(): Promise<void> };
};
type Handler = (request: Request, info: { remoteAddr: { hostname?: string } }) => Promise<Response>;
interface ServeOptions {
  hostname: string;
  port: number;
  onListen(): void;
}

/** Serves the proxy with Deno. */
export function listen(config: Config): Promise<Listener> {
  const server = Deno.serve(
    { hostname: config.host, port: config.port, onListen() {} },
    createHandler(config),
  );
  return Promise.resolve({ port: server.addr.port, drain: () => server.shutdown() });
}

/** The handler of `Deno.serve`. */
export function createHandler(config: Config): Handler {
  const proxy = createConfiguredProxy(config);
  const lent = { name: `deno ${Deno.version.deno}`, send: createHttpSender({ reuseForAll: false }) };
  return (request, info) => proxy.handle(request, { ...lent, clientAddress: info.remoteAddr.hostname ?? "" });
}
