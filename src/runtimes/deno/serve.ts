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
import { rereadAll } from "../process/reread.ts";
import { type Served, Succession } from "../process/succession.ts";
import { readTlsFiles, rereadTlsFiles, type TlsFiles } from "../process/tls-files.ts";
import { findPort, sharesPorts } from "../process/claim-port.ts";
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
  const files = readTlsFiles(config);
  const own = await findOwnAddresses(config.host, () => served.port);
  const sockets = new OpenSockets();
  const open = new OpenRequests();
  const parts = { ...await createParts(config, shared, !own.listensOnLoopback), open };
  const handler = createHandler(config, own, parts, sockets);
  const isShared = shared !== undefined || (files !== undefined && sharesPorts());
  const port = isShared && !shared ? await findPort(config) : config.port;
  const base = { hostname: config.host, reusePort: isShared, onListen() {}, onError: answerQuietly };
  const serve = (port: number, tls: TlsFiles | undefined) =>
    toServed(keepServing((port) => Deno.serve({ ...base, ...tls, port }, handler), port));
  const served = new Succession(serve, isShared, port, files);
  // A server keeps its certificate (Deno 2.9), so another one takes its place.
  const rereads = rereadTlsFiles(config, files, (next) => served.replace(next));
  return {
    port: served.port,
    isLocal: own.listensOnLoopback,
    drain: async () => void await Promise.all([served.drain(), sockets.close()]),
    cut: () => open.cut(),
    reread: () => rereadAll([...rereads, ...parts.rereads]),
  };
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
