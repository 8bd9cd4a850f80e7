/**
 * The capabilities of Bun.
 * @module
 */

import type { Runtime } from "../../core/runtime.ts";
import { createHttpSender } from "../../wire/client/sender.ts";
import { createRuntime } from "../process/own-traits.ts";
import { createPatience, keepContentLength } from "./content-length.ts";
import { connectBun } from "./wire.ts";

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
export const runtime: Runtime = createRuntime(
  `bun ${Bun.version}`,
  createHttpSender({ connect: connectBun, patience: createPatience(), finish: keepContentLength }),
);
