/**
 * The entry for Workers: the platform calls `fetch` of the default export. Settings come from the bindings.
 * @module
 */

import { createConfiguredProxy, type Proxy } from "../index.ts";
import { readConfig } from "../core/settings/config.ts";
import type { Runtime } from "../core/runtime.ts";
import { createConsoleLog } from "./worker/console-log.ts";
import { openSettings } from "./worker/refuse-settings.ts";
import { createWorkerHandler, type WorkerCall, type WorkerContext } from "./worker/handler.ts";
import { sendFromWorker } from "./worker/platform-sender.ts";
import type { WorkerRequest } from "./worker/worker-caller.ts";

export type { WorkerCall, WorkerContext, WorkerRequest };

/** The bindings of a Worker: text, numbers and booleans. Only bindings named like a setting are read. */
export type Bindings = Readonly<Record<string, unknown>>;

/** What the platform calls with each request. */
export interface WorkerHandler {
  /**
   * Answers a request. The settings are read from the bindings of the first one.
   *
   * @throws {ConfigError} (as a rejection) if a binding is a bad setting
   */
  fetch(request: WorkerRequest, bindings: Bindings, context?: WorkerContext): Promise<Response>;
}

/** The platform listens itself, so bindings with these names belong to other programs. */
const NOT_READ: Bindings = {
  HOST: undefined,
  PORT: undefined,
  WORKERS: undefined,
  TLS_CERT: undefined,
  TLS_KEY: undefined,
};

/**
 * The capabilities of a Worker: it sends requests with their lengths. Names need not be resolved, because the platform
 * keeps requests out of private networks.
 *
 * @example
 * ```ts
 * const answer = proxy.handle(request, runtime);
 * ctx.waitUntil(answer);
 * ```
 */
export const runtime: Runtime = { name: "workerd", filtersEgress: true, send: sendFromWorker };

/**
 * Makes the function that a Worker calls with each request. It joins WebSockets too.
 *
 * @example
 * ```ts
 * let call: WorkerCall | undefined;
 * export default {
 *   fetch(request: Request, bindings: { PROXY_TOKEN: string }, ctx: WorkerContext) {
 *     call ??= createHandler(createProxy({ proxyToken: bindings.PROXY_TOKEN }));
 *     return call(request, ctx);
 *   },
 * };
 * ```
 */
export function createHandler(proxy: Proxy): WorkerCall {
  return createWorkerHandler(proxy, runtime);
}

// Made at the first request: only then does the platform allow random values and provide the settings.
let call: WorkerCall | undefined;

/** A proxy with settings from the bindings, ready to deploy. */
const handler: WorkerHandler = {
  async fetch(request, bindings, context) {
    call ??= start(bindings);
    return await call(request, context);
  },
};

export default handler;

function start(bindings: Bindings): WorkerCall {
  const config = readConfig({ ...bindings, ...NOT_READ });
  const settings = openSettings(config, bindings);
  return createHandler(createConfiguredProxy(config, { log: createConsoleLog(config), settings }));
}
