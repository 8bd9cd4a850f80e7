/**
 * What Deno lends to a proxy: put together here, for servers of any maker and for our own.
 * @module
 */

import process from "node:process";
import type { Runtime } from "../../exchange/runtime.ts";
import { lookUp } from "../process/look-up.ts";
import { createDialler } from "../websocket/dial.ts";
import { createDenoSender } from "./send.ts";
import { releasesConnections } from "./websocket.ts";

/**
 * What Deno lends: look-ups of names, and requests that go out unchanged.
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
  resolve: lookUp,
  send: createDenoSender(),
};

/** And to our own one, which joins WebSockets where this Deno lets it. */
export const serverRuntime: Runtime = {
  ...runtime,
  ...(releasesConnections() && { upgrade: createDialler({ keepsExtensions: true }) }),
};
