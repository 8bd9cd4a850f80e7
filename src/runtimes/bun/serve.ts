/**
 * Listens with Bun: our own server on its raw connections.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import type { Runtime, Shared } from "../../core/runtime.ts";
import { createHttpSender } from "../../wire/client/sender.ts";
import type { Listener } from "../process/listener.ts";
import { listenInTurn } from "../process/succession.ts";
import { createAnswering } from "../answering.ts";
import { createDialler } from "../../wire/websocket/dial.ts";
import { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { listenForCallers } from "./listen.ts";
import { runtime } from "./runtime.ts";
import { checkBun } from "./check-version.ts";
import { connectBun } from "./wire.ts";

/** The capabilities of Bun with our own server. */
const listenerRuntime: Runtime = {
  ...runtime,
  send: createHttpSender({ connect: connectBun }),
  upgrade: createDialler(),
};

/**
 * Serves the proxy. A Bun listener (1.4) can't change its certificate, so a new listener replaces it.
 *
 * @throws {ConfigError} (as a rejection) if Bun is too old
 */
export async function listen(config: Config, shared?: Shared): Promise<Listener> {
  checkBun(Bun.version);
  const sockets = new OpenSockets(config.idleTimeoutMs);
  return await listenInTurn(config, shared, sockets, (own, parts) => {
    const answering = createAnswering(config, { ...listenerRuntime, ...own }, parts, sockets);
    return (port, tls, reusePort) =>
      listenForCallers({ hostname: config.host, port, reusePort }, tls, answering);
  });
}
