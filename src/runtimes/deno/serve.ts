/**
 * `Deno.serve` in front of the core.
 * @module
 */

import type { Config } from "../../settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import type { Parts } from "../../exchange/record.ts";
import type { Shared } from "../../exchange/runtime.ts";
import { type DenoServer, keepServing } from "./accept.ts";
import { toIncoming } from "./request.ts";
import { serverRuntime } from "./runtime.ts";
import { bindClientAddress } from "../process/client-address.ts";
import type { OwnAddresses } from "../process/own-addresses.ts";
import type { Listener } from "../process/listener.ts";
import { listenInTurn, type Served } from "../process/succession.ts";
import { loadExtraCertificates } from "./certificates.ts";
import { answerDeno } from "./websocket.ts";
import { OpenSockets } from "../websocket/open-sockets.ts";

/** The members of Deno used here, declared so that every compiler can check this file. */
declare const Deno: {
  serve(options: ServeOptions, handler: Handler): DenoServer;
};
type Handler = (request: Request, info: { remoteAddr: { hostname?: string } }) => Promise<Response>;
interface ServeOptions {
  hostname: string;
  port: number;
  /** True if several processes share the port (Linux). */
  reusePort: boolean;
  onListen(): void;
  onError(): Response;
  cert?: string;
  key?: string;
}

/** Serves the proxy with Deno. A server keeps its certificate (Deno 2.9), so another one takes its place. */
export function listen(config: Config, shared?: Shared): Promise<Listener> {
  const sockets = new OpenSockets();
  return listenInTurn(config, shared, sockets, (own, parts) => {
    const handler = createHandler(config, own, parts, sockets);
    const base = { hostname: config.host, onListen() {}, onError: answerQuietly };
    return (port, tls, reusePort) =>
      toServed(keepServing((port) => Deno.serve({ ...base, ...tls, port, reusePort }, handler), port));
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

/**
 * The handler of `Deno.serve`.
 *
 * @param own empty if the listener's addresses are unknown
 */
export function createHandler(
  config: Config,
  own: Partial<OwnAddresses>,
  parts: Parts,
  sockets: OpenSockets = new OpenSockets(),
): Handler {
  loadExtraCertificates();
  const proxy = createConfiguredProxy(config, parts);
  sockets.onClose(() => proxy.close());
  const runtimeFor = bindClientAddress({ ...serverRuntime, ...own });
  return async (request, info) => {
    const clientAddress = info.remoteAddr.hostname ?? "";
    return answerDeno(await proxy.reply(toIncoming(request), runtimeFor(clientAddress)), request, sockets);
  };
}
