/**
 * The default `fetch` of an entry, with settings from the environment.
 * @module
 */

import { createConfiguredProxy, type Proxy } from "../../index.ts";
import { readConfig } from "../../core/settings/config.ts";
import type { Runtime } from "../../core/runtime.ts";
import { readKeyFile } from "./key-file.ts";
import { createParts } from "./lent.ts";
import { bindClientAddress } from "./client-address.ts";

/** Answers a request; the caller's address is `undefined` if the server does not report it. */
export type Answerer = (request: Request, clientAddress?: string) => Promise<Response>;

/**
 * Makes the function. It reads the environment at the first request: importing an entry must not fail because of
 * another program's `PORT` or `LOG`.
 */
export function answerByEnvironment(runtime: Runtime): Answerer {
  const runtimeFor = bindClientAddress(runtime);
  let proxy: Promise<Proxy> | undefined;
  return async (request, clientAddress = "") => {
    proxy ??= createByEnvironment();
    return (await proxy).handle(request, runtimeFor(clientAddress));
  };
}

async function createByEnvironment(): Promise<Proxy> {
  const config = readConfig(readKeyFile(process.env));
  return createConfiguredProxy(config, await createParts(config));
}
