/**
 * What Node lends to a proxy: put together here, for servers of any maker and for our own.
 * @module
 */

import process from "node:process";
import type { Runtime } from "../../exchange/runtime.ts";
import { createHttpSender } from "../http1/sender.ts";
import { lookUp } from "../process/look-up.ts";
import { createDialler } from "../websocket/dial.ts";

/** What Node lends to every server, for `createProxy(options).handle(request, runtime)`. */
export const runtime: Runtime = {
  name: `node ${process.versions.node}`,
  keepsTimers: true,
  resolve: lookUp,
  send: createHttpSender(),
};

/** And to our own one, which joins WebSockets. */
export const serverRuntime: Runtime = { ...runtime, upgrade: createDialler({ keepsExtensions: true }) };
