/**
 * Listens with Bun: our own server on its raw connections.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import type { Runtime, Shared } from "../../core/runtime.ts";
import { createHttpSender } from "../../wire/client/sender.ts";
import type { Listener } from "../process/listener.ts";
import { serveCallers } from "../process/serve-callers.ts";
import { createDialler } from "../../wire/websocket/dial.ts";
import { createAnswering } from "../answering.ts";
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
 * Serves the proxy.
 *
 * @throws {ConfigError} (as a rejection) if Bun is too old
 */
export async function listen(config: Config, shared?: Shared): Promise<Listener> {
  checkBun(Bun.version);
  return await serveCallers(
    config,
    shared,
    listenForCallers,
    (own, parts, sockets) => createAnswering(config, { ...listenerRuntime, ...own }, parts, sockets),
  );
}
