/**
 * Listens with Deno: with a server of our own, or with `Deno.serve` where there is a certificate.
 * @module
 */

import type { Config } from "../../settings/config.ts";
import type { Shared } from "../../exchange/runtime.ts";
import type { Listener } from "../process/listener.ts";
import { listenInTurn, type Served } from "../process/succession.ts";
import type { TlsFiles } from "../process/tls-files.ts";
import { OpenSockets } from "../websocket/open-sockets.ts";
import { type DenoServer, keepServing } from "./accept.ts";
import { createAnswering } from "./answering.ts";
import { createHandler, type Handler } from "./handler.ts";
import { listenForCallers } from "./listen.ts";

/** The members of Deno used here, declared so that every compiler can check this file. */
declare const Deno: {
  serve(options: ServeOptions, handler: Handler): DenoServer;
};
interface ServeOptions extends TlsFiles {
  hostname: string;
  port: number;
  /** True if several processes share the port (Linux). */
  reusePort: boolean;
  onListen(): void;
  onError(): Response;
}

/** Serves the proxy. A server keeps its certificate (Deno 2.9), so another one takes its place. */
export function listen(config: Config, shared?: Shared): Promise<Listener> {
  const sockets = new OpenSockets();
  const { host: hostname } = config;
  return listenInTurn(config, shared, sockets, (own, parts) => {
    if (config.tlsCert === "") {
      const answering = createAnswering(config, own, parts, sockets);
      return (port, _tls, reusePort) => listenForCallers({ hostname, port, reusePort }, answering);
    }
    const handler = createHandler(config, own, parts, sockets);
    const base = { hostname, onListen() {}, onError: answerQuietly };
    return (port, tls, reusePort) =>
      toServed(
        keepServing((port) => Deno.serve({ ...base, ...tls as TlsFiles, port, reusePort }, handler), port),
      );
  });
}

function toServed({ addr, shutdown }: Pick<DenoServer, "addr" | "shutdown">): Served {
  return { port: addr.port, stop: shutdown, drain: shutdown };
}

/**
 * Only a streaming body can fail here. The failure is already logged, the connection is cut, and nobody sees this
 * response.
 */
function answerQuietly(): Response {
  return new Response(null, { status: 500 });
}
