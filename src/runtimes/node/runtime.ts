/**
 * The capabilities of Node, for your own server and for ours.
 * @module
 */

import type { Runtime } from "../../core/runtime.ts";
import { createHttpSender } from "../../wire/client/sender.ts";
import { createRuntime } from "../process/own-traits.ts";
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
export const runtime: Runtime = createRuntime(
  `node ${process.versions.node}`,
  createHttpSender({ connect: connectInBulk }),
);

/** The capabilities for a server with `upgrade` events, which also joins WebSockets. */
export const serverRuntime: Runtime = { ...runtime, upgrade: createDialler() };
