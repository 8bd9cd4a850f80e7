/**
 * A proxy as what a Worker calls with each request, for one that has other things to do too.
 * @module
 */

import type { Proxy } from "../../index.ts";
import { takeRequest } from "../../exchange/border.ts";
import type { Runtime } from "../../exchange/runtime.ts";
import { answerWorker, joinWorker, type Keep } from "./answer.ts";
import { readAddress, type WorkerRequest } from "./caller.ts";

/** The part of a Worker's `ctx` that is used. */
export interface WorkerContext {
  /** Keeps the Worker running until the work is over. */
  waitUntil(work: Promise<unknown>): void;
}

/** What a Worker hands on each request to, with its `ctx`; only a test may do without. */
export type WorkerCall = (request: WorkerRequest, context?: WorkerContext) => Promise<Response>;

/** Makes a proxy what a Worker calls. */
export function createWorkerHandler(proxy: Proxy, runtime: Runtime): WorkerCall {
  return (request, context) => {
    // When the caller leaves, workerd runs nothing more of a request but what it was told to wait for: without this neither
    // an answer nor a body would ever be over, and the place in `MAX_CONCURRENT` taken for good.
    const keep: Keep = (work) => context?.waitUntil(work);
    const respond = async () => {
      const lent = { ...runtime, upgrade: joinWorker, clientAddress: readAddress(request) };
      return answerWorker(await proxy.reply(takeRequest(request), lent), request, keep);
    };
    const answer = respond();
    keep(answer);
    return answer;
  };
}
