/**
 * The capabilities of Deno, for your own server and for ours.
 * @module
 */

import type { Runtime } from "../../core/runtime.ts";
import { untilTurnEnd } from "../../wire/turn.ts";
import { lookUp } from "../process/look-up.ts";
import { createDialler } from "../../wire/websocket/dial.ts";
import { createDenoSender } from "./held-sender.ts";
import { releasesConnections } from "./websocket.ts";

/**
 * The capabilities of Deno for your own server: it resolves names and sends requests unchanged.
 *
 * @example
 * ```ts
 * const proxy = createProxy();
 * Deno.serve((request, { remoteAddr }) =>
 *   proxy.handle(request, { ...runtime, clientAddress: remoteAddr.hostname })
 * );
 * ```
 */
export const runtime: Runtime = {
  name: `deno ${process.versions.deno}`,
  keepsTimers: true,
  untilTurnEnd,
  obeysRoute: true,
  resolve: lookUp,
  send: createDenoSender(),
};

/** The capabilities for our own server, which also joins WebSockets if this version of Deno allows it. */
export const serverRuntime: Runtime = {
  ...runtime,
  ...(releasesConnections() && { upgrade: createDialler({ keepsExtensions: true }) }),
};
