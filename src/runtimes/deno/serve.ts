/**
 * Listens with Deno: our own server on its raw connections.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import type { Shared } from "../../core/runtime.ts";
import { createHttpSender } from "../../wire/client/sender.ts";
import type { Listener } from "../process/listener.ts";
import { serveCallers } from "../process/serve-callers.ts";
import { loadExtraCertificates } from "./certificates.ts";
import { connectDeno } from "./connect-target.ts";
import { listenForCallers } from "./listen.ts";
import { runtime } from "./runtime.ts";

const SEND = createHttpSender({ connect: connectDeno });

/** Serves the proxy. */
export function listen(config: Config, shared?: Shared): Promise<Listener> {
  loadExtraCertificates();
  return serveCallers(config, shared, listenForCallers, { ...runtime, send: SEND });
}
