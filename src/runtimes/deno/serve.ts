/**
 * `Deno.serve` in front of the core.
 * @module
 */

import type { Config } from "../../settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import { OpenRequests } from "../../exchange/open-requests.ts";
import type { Parts } from "../../exchange/record.ts";
import type { Shared } from "../../exchange/runtime.ts";
import { type DenoServer, keepServing } from "./accept.ts";
import { toIncoming } from "./request.ts";
import { serverRuntime } from "./runtime.ts";
import { createParts } from "../process/parts.ts";
import { bindClientAddress } from "../process/client-address.ts";
import { findOwnAddresses, type OwnAddresses } from "../process/own-addresses.ts";
import type { Listener } from "../process/listener.ts";
import { readTlsFiles } from "../process/tls-files.ts";
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

/** Serves the proxy with Deno. */
export async function listen(config: Config, shared?: Shared): Promise<Listener> {
  const own = await findOwnAddresses(config.host, () => server.addr.port);
  const options = {
    hostname: config.host,
    reusePort: shared !== undefined,
    onListen() {},
    onError: answerQuietly,
    ...readTlsFiles(config),
  };
  const sockets = new OpenSockets();
  const open = new OpenRequests();
  const parts = { ...await createParts(config, shared), open };
  const handler = createHandler(config, own, parts, sockets);
  const server = keepServing((port) => Deno.serve({ ...options, port }, handler), config.port);
  const drain = async () => void await Promise.all([server.shutdown(), sockets.close()]);
  return { port: server.addr.port, isLocal: own.listensOnLoopback, drain, cut: () => open.cut() };
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
