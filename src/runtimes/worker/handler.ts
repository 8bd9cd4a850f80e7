/**
 * Makes a handler for your own Worker from a proxy.
 * @module
 */

import type { Proxy } from "../../index.ts";
import { takeRequest } from "../../core/exchange/web-standard.ts";
import type { Runtime } from "../../core/runtime.ts";
import { answerWorker, joinWorker, type Keep } from "./worker-response.ts";
import { readCallerFields } from "./worker-fields.ts";
import { readAddress, type WorkerRequest } from "./worker-caller.ts";

/** The part of a Worker's `ctx` that is used here. */
export interface WorkerContext {
  /** Keeps the Worker running until the work ends. */
  waitUntil(work: Promise<unknown>): void;
}

/** The function that a Worker calls with each request and its `ctx`. Only tests may omit `ctx`. */
export type WorkerCall = (request: WorkerRequest, context?: WorkerContext) => Promise<Response>;

/**
 * Makes the function that a Worker calls.
 *
 * @throws {ConfigError} if a setting requires something that a Worker can't do
 */
export function createWorkerHandler(proxy: Proxy, runtime: Runtime): WorkerCall {
  proxy.check(runtime);
  return (request, context) => {
    // When the client closes the connection, workerd continues only what `waitUntil` holds. Without this the request
    // would never end, and keep its place in `MAX_CONCURRENT` for ever.
    const keep: Keep = (work) => context?.waitUntil(work);
    const respond = async () => {
      // The platform accepts no list in `Upgrade`, and would fail once the target has answered.
      const maySwitch = request.headers.get("upgrade")?.toLowerCase() === "websocket";
      const lent: Runtime = {
        ...runtime,
        ...(maySwitch && { upgrade: joinWorker }),
        clientAddress: readAddress(request),
      };
      return answerWorker(
        await proxy.reply(takeRequest(request, readCallerFields(request.headers)), lent),
        request,
        keep,
      );
    };
    const response = respond();
    keep(response);
    return response;
  };
}
