/**
 * The capabilities of Bun, for your own server and for ours.
 * @module
 */

import type { Runtime } from "../../core/runtime.ts";
import { createHttpSender } from "../../wire/client/sender.ts";
import { untilTurnEnd } from "../../wire/turn.ts";
import { lookUp } from "../process/look-up.ts";
import { createDialler } from "../../wire/websocket/dial.ts";
import { createPatience, keepContentLength } from "./content-length.ts";
import { connectBun } from "./wire.ts";

const answers = { patience: createPatience(), finish: keepContentLength };

/**
 * The capabilities of Bun for your own server: it resolves names and sends requests unchanged.
 *
 * @example
 * ```ts
 * const proxy = createProxy();
 * Bun.serve({
 *   idleTimeout: 0, // by default Bun cuts a response that pauses for 10 seconds
 *   fetch: (request, server) =>
 *     proxy.handle(request, { ...runtime, clientAddress: server.requestIP(request)?.address }),
 * });
 * ```
 */
export const runtime: Runtime = {
  name: `bun ${Bun.version}`,
  keepsTimers: true,
  untilTurnEnd,
  obeysRoute: true,
  resolve: lookUp,
  send: createHttpSender({ connect: connectBun, ...answers }),
};

/** The capabilities for our own server, which also joins WebSockets. */
export const serverRuntime: Runtime = {
  ...runtime,
  upgrade: createDialler({ keepsExtensions: false, ...answers }),
};
