/**
 * The handler for `deno serve`.
 * @module
 */

import { readConfig } from "../../core/settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { bindClientAddress } from "../process/client-address.ts";
import { readKeyFile } from "../process/key-file.ts";
import { createParts } from "../process/lent.ts";
import { loadExtraCertificates } from "./certificates.ts";
import { toIncoming } from "./deno-request.ts";
import { serverRuntime } from "./runtime.ts";
import { answerDeno } from "./websocket.ts";

/** What `deno serve` calls with each request. */
interface Handler {
  fetch(request: Request, info: { remoteAddr: { hostname?: string } }): Promise<Response>;
}

/** Makes the handler. Deno sets up the listener from its own flags, so its address is unknown. */
export async function createHandler(): Promise<Handler> {
  const config = readConfig(readKeyFile(process.env));
  loadExtraCertificates();
  const proxy = createConfiguredProxy(config, await createParts(config));
  const sockets = new OpenSockets(config.idleTimeoutMs);
  const runtimeFor = bindClientAddress(serverRuntime);
  return {
    async fetch(request, { remoteAddr: { hostname = "" } }) {
      return answerDeno(await proxy.reply(toIncoming(request), runtimeFor(hostname)), request, sockets);
    },
  };
}
