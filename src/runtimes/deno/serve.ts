/**
 * Listens with Deno: our own server on its raw connections.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import type { Runtime, Shared } from "../../core/runtime.ts";
import { createHttpSender } from "../../wire/client/sender.ts";
import type { Listener } from "../process/listener.ts";
import { serveCallers } from "../process/serve-callers.ts";
import { createDialler } from "../../wire/websocket/dial.ts";
import { loadExtraCertificates } from "./certificates.ts";
import { connectDeno } from "./connect-target.ts";
import { createAnswering } from "../answering.ts";
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
  return serveCallers(
    config,
    shared,
    listenForCallers,
    (own, parts, sockets) => createAnswering(config, { ...listenerRuntime, ...own }, parts, sockets),
  );
}
