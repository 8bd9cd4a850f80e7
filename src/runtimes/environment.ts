/**
 * The `fetch` of an entry that is mounted as it is: its settings come from the environment.
 * @module
 */

import process from "node:process";
import { createConfiguredProxy, type Proxy, readConfig, type Runtime } from "../index.ts";
import { createLog } from "./log-writer.ts";

/** Answers a request; the caller's address is `undefined` where the server does not tell it. */
export type Answerer = (request: Request, clientAddress?: string) => Promise<Response>;

/**
 * Makes the function. The environment is read with the first request: whoever imports an entry for something else may
 * have a `PORT` or `LOG` that means another program.
 */
export function answerByEnvironment(runtime: Runtime): Answerer {
  let proxy: Proxy | undefined;
  return async (request, clientAddress = "") => {
    if (!proxy) {
      const config = readConfig(process.env);
      proxy = createConfiguredProxy(config, createLog(config));
    }
    return await proxy.handle(request, { ...runtime, clientAddress });
  };
}
