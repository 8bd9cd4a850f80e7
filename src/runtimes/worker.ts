/**
 * The entry for Workers: the platform calls the `fetch` of its default export; settings come from the bindings.
 * @module
 */

import { createConfiguredProxy, type Proxy, readConfig, type Runtime } from "../index.ts";
import { answerWorker, joinWorker } from "./answer-worker.ts";
import { createConsoleLog } from "./console-log.ts";
import { sendFromWorker } from "./send-worker.ts";
import { readAddress, type WorkerRequest } from "./worker-caller.ts";

export type { WorkerRequest };

/** The bindings of a Worker: text, numbers and booleans. Those that no setting has the name of are not read. */
export type Bindings = Readonly<Record<string, unknown>>;

/** What the platform calls with each request. */
export interface WorkerHandler {
  fetch(request: WorkerRequest, bindings: Bindings): Promise<Response>;
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

// The platform lets nothing random be made before a request is there, and hands the settings in with it.
let proxy: Proxy | undefined;

const handler: WorkerHandler = {
  async fetch(request, bindings) {
    proxy ??= start(bindings);
    const lent = { ...runtime, upgrade: joinWorker, clientAddress: readAddress(request) };
    return answerWorker(await proxy.reply(request, lent), request);
  },
};

export default handler;

function start(bindings: Bindings): Proxy {
  const config = readConfig({ ...bindings, ...NOT_READ });
  return createConfiguredProxy(config, { log: createConsoleLog(config) });
}
