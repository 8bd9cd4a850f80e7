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
import { equip } from "../process/equip.ts";
import { findOwnAddresses, lendByAddress, type OwnAddresses } from "../process/network.ts";
import type { Listener } from "../process/listener.ts";
import { readTlsFiles } from "../process/tls-files.ts";
import { trustExtras } from "./certificates.ts";
import { answerDeno } from "./websocket.ts";
import { Joints } from "../websocket/joints.ts";

/** The members of Deno that are used here, so that every compiler can check this file. */
declare const Deno: {
  serve(options: ServeOptions, handler: Handler): DenoServer;
};
type Handler = (request: Request, info: { remoteAddr: { hostname?: string } }) => Promise<Response>;
interface ServeOptions {
  hostname: string;
  port: number;
  /** Several processes share the port (Linux). */
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
  const joints = new Joints();
  const handler = createHandler(config, own, await equip(config, shared), joints);
  const server = keepServing((port) => Deno.serve({ ...options, port }, handler), config.port);
  const drain = async () => void await Promise.all([server.shutdown(), joints.close()]);
  return { port: server.addr.port, isLocal: own.listensOnLoopback, drain };
}

/** What fails here is a body on its way: it has been logged, its connection is cut, and nobody sees this answer. */
function answerQuietly(): Response {
  return new Response(null, { status: 500 });
}

/**
 * The handler of `Deno.serve`.
 *
 * @param own empty where nobody knows what it listens on
 */
export function createHandler(
  config: Config,
  own: Partial<OwnAddresses>,
  parts: Parts,
  joints: Joints = new Joints(),
): Handler {
  trustExtras();
  const proxy = createConfiguredProxy(config, parts);
  joints.onClose(() => proxy.close());
  const lendTo = lendByAddress({ ...serverRuntime, ...own });
  return async (request, info) => {
    const clientAddress = info.remoteAddr.hostname ?? "";
    return answerDeno(await proxy.reply(toIncoming(request), lendTo(clientAddress)), request, joints);
  };
}
