/**
 * The capabilities of Node, for your own server and for ours.
 * @module
 */

import type { Runtime } from "../../core/runtime.ts";
import { createHttpSender } from "../../wire/client/sender.ts";
import { untilTurnEnd } from "../../wire/turn.ts";
import { lookUp } from "../process/look-up.ts";
import "../process/own-traits.ts";
import { createDialler } from "../../wire/websocket/dial.ts";
import { connectInBulk } from "./wire.ts";

/**
 * The capabilities of Node for your own server: it resolves names and sends requests unchanged.
 *
 * @example
 * ```ts
 * const proxy = createProxy();
 * const response = await proxy.handle(request, { ...runtime, clientAddress: "192.0.2.1" });
 * ```
 */
export const runtime: Runtime = {
  name: `node ${process.versions.node}`,
  keepsTimers: true,
  untilTurnEnd,
  obeysRoute: true,
  resolve: lookUp,
  send: createHttpSender({ connect: connectInBulk }),
};

/** The capabilities for our own server, which also joins WebSockets. */
export const serverRuntime: Runtime = { ...runtime, upgrade: createDialler() };
