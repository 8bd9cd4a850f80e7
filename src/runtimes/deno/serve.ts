/**
 * Listens with Deno: our own server on its raw connections.
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
import { loadExtraCertificates } from "./certificates.ts";
import { connectDeno } from "./connect-target.ts";
import { listenForCallers } from "./listen.ts";
import { runtime } from "./runtime.ts";

/** The capabilities of Deno with our own server. */
const listenerRuntime: Runtime = {
  ...runtime,
  send: createHttpSender({ connect: connectDeno }),
  upgrade: createDialler(),
};

/** Serves the proxy. */
export function listen(config: Config, shared?: Shared): Promise<Listener> {
  loadExtraCertificates();
  const sockets = new OpenSockets(config.idleTimeoutMs);
  return listenInTurn(config, shared, sockets, (own, parts) => {
    const answering = createAnswering(config, { ...listenerRuntime, ...own }, parts, sockets);
    return (port, tls, reusePort) =>
      listenForCallers({ hostname: config.host, port, reusePort }, tls, answering);
  });
}
