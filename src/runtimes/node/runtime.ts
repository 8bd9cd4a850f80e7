/**
 * What Node lends to a proxy: put together here, for servers of any maker and for our own.
 * @module
 */

import process from "node:process";
import type { Runtime } from "../../exchange/runtime.ts";
import { createHttpSender } from "../http1/sender.ts";
import { lookUp } from "../process/look-up.ts";
import { createDialler } from "../websocket/dial.ts";

/**
 * What Node lends: look-ups of names, and requests that go out unchanged.
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
  resolve: lookUp,
  send: createHttpSender(),
};

/** And to our own one, which joins WebSockets. */
export const serverRuntime: Runtime = { ...runtime, upgrade: createDialler({ keepsExtensions: true }) };
