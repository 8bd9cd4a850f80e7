/**
 * What Bun lends to a proxy: put together here, for servers of any maker and for our own.
 * @module
 */

import type { Runtime } from "../../exchange/runtime.ts";
import { createHttpSender } from "../http1/sender.ts";
import { lookUp } from "../process/look-up.ts";
import { createDialler } from "../websocket/dial.ts";
import { createPatience, keepContentLength } from "./content-length.ts";
import { connectBun } from "./wire.ts";

const answers = { patience: createPatience(), finish: keepContentLength };

/**
 * What Bun lends: look-ups of names, and requests that go out unchanged.
 *
 * @example
 * ```ts
 * const proxy = createProxy();
 * Bun.serve({
 *   fetch: (request, server) =>
 *     proxy.handle(request, { ...runtime, clientAddress: server.requestIP(request)?.address }),
 * });
 * ```
 */
export const runtime: Runtime = {
  name: `bun ${Bun.version}`,
  keepsTimers: true,
  resolve: lookUp,
  send: createHttpSender({ connect: connectBun, ...answers }),
};

/** And to our own one, which joins WebSockets. */
export const serverRuntime: Runtime = {
  ...runtime,
  upgrade: createDialler({ keepsExtensions: false, ...answers }),
};
