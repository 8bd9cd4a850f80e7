/**
 * The capabilities of Deno, for your own server and for `deno serve`.
 * @module
 */

import { Fields } from "../../core/http/fields.ts";
import type { Runtime } from "../../core/runtime.ts";
import { createRuntime } from "../process/own-traits.ts";
import { createDialler } from "../../wire/websocket/dial.ts";
import { createDenoSender } from "./held-sender.ts";

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
export const runtime: Runtime = createRuntime(`deno ${process.versions.deno}`, createDenoSender());

const dial = createDialler();

/** The capabilities for `deno serve`, which also joins WebSockets. Deno handles their frames itself, so without extensions. */
export const serverRuntime: Runtime = {
  ...runtime,
  upgrade(outgoing, watch) {
    const headers = new Fields(outgoing.headers);
    headers.delete("sec-websocket-extensions");
    return dial({ ...outgoing, headers }, watch);
  },
};
