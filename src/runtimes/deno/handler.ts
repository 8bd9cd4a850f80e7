/**
 * The handler for `deno serve`.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import type { Parts } from "../../core/part.ts";
import { toIncoming } from "./deno-request.ts";
import { serverRuntime } from "./runtime.ts";
import { bindClientAddress } from "../process/client-address.ts";
import { loadExtraCertificates } from "./certificates.ts";
import { answerDeno } from "./websocket.ts";
import { OpenSockets } from "../../wire/websocket/open-sockets.ts";

/** The function that `Deno.serve` calls with each request. */
export type Handler = (
  request: Request,
  info: { remoteAddr: { hostname?: string } },
) => Promise<Response>;

/** Makes the handler. Deno sets up the listener from its own flags, so its address is unknown. */
export function createHandler(config: Config, parts: Parts): Handler {
  loadExtraCertificates();
  const proxy = createConfiguredProxy(config, parts);
  const sockets = new OpenSockets(config.idleTimeoutMs);
  const runtimeFor = bindClientAddress(serverRuntime);
  return async (request, info) => {
    const clientAddress = info.remoteAddr.hostname ?? "";
    return answerDeno(await proxy.reply(toIncoming(request), runtimeFor(clientAddress)), request, sockets);
  };
}
