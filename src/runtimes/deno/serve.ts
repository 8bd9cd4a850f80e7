/**
 * Listens with Deno: our own server on its raw connections.
 * @module
 */

import type { Config } from "../../settings/config.ts";
import type { Shared } from "../../exchange/runtime.ts";
import type { Listener } from "../process/listener.ts";
import { listenInTurn } from "../process/succession.ts";
import { OpenSockets } from "../websocket/open-sockets.ts";
import { createAnswering } from "./answering.ts";
import { listenForCallers } from "./listen.ts";

/** Serves the proxy. A listener keeps its certificate (Deno 2.9), so another one takes its place. */
export function listen(config: Config, shared?: Shared): Promise<Listener> {
  const sockets = new OpenSockets();
  return listenInTurn(config, shared, sockets, (own, parts) => {
    const answering = createAnswering(config, own, parts, sockets);
    return (port, tls, reusePort) =>
      listenForCallers({ hostname: config.host, port, reusePort }, tls, answering);
  });
}
