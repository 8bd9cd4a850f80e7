/**
 * The entry for Workers: the platform calls the `fetch` of its default export; settings come from the bindings.
 * @module
 */

import { createConfiguredProxy, type Proxy } from "../index.ts";
import { readConfig } from "../settings/config.ts";
import type { Runtime } from "../exchange/runtime.ts";
import { createConsoleLog } from "./worker/log.ts";
import { createWorkerHandler, type WorkerCall, type WorkerContext } from "./worker/handler.ts";
import { sendFromWorker } from "./worker/send.ts";
import type { WorkerRequest } from "./worker/caller.ts";

export type { WorkerCall, WorkerContext, WorkerRequest };

/** The bindings of a Worker: text, numbers and booleans. Those that no setting has the name of are not read. */
export type Bindings = Readonly<Record<string, unknown>>;

/** What the platform calls with each request. */
export interface WorkerHandler {
  fetch(request: WorkerRequest, bindings: Bindings, context?: WorkerContext): Promise<Response>;
}

/** The platform listens: what has these names is meant for another program. */
const NOT_READ: Bindings = {
  HOST: undefined,
  PORT: undefined,
  WORKERS: undefined,
  TLS_CERT: undefined,
  TLS_KEY: undefined,
};

/** What a Worker lends, for `createProxy(options).handle(request, runtime)`. */
export const runtime: Runtime = { name: "workerd", filtersEgress: true, send: sendFromWorker };

/** Makes a proxy what a Worker calls with each request. */
export function createHandler(proxy: Proxy): WorkerCall {
  return createWorkerHandler(proxy, runtime);
}

// The platform lets nothing random be made before a request is there, and hands the settings in with it.
let call: WorkerCall | undefined;

const handler: WorkerHandler = {
  async fetch(request, bindings, context) {
    call ??= start(bindings);
    return await call(request, context);
  },
};

export default handler;

function start(bindings: Bindings): WorkerCall {
  const config = readConfig({ ...bindings, ...NOT_READ });
  return createHandler(createConfiguredProxy(config, { log: createConsoleLog(config) }));
}
