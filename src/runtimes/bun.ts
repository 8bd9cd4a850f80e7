/**
 * The entry for Bun: what Bun lends to a proxy in a server of your own. `bun run` serves the default export; its
 * settings come from the environment.
 * @module
 */

import { readConfig } from "../settings/config.ts";
import type { Runtime } from "../exchange/runtime.ts";
import { answerByEnvironment } from "./process/environment.ts";
import { equip } from "./process/equip.ts";
import { lend } from "./process/network.ts";
import { lookUp } from "./process/look-up.ts";
import { createPatience, fitServer } from "./bun/content-length.ts";
import { createHttpSender } from "./http1/sender.ts";
import { connectBun } from "./bun/wire.ts";

/** The part of Bun's server that tells who calls. */
export interface CallerSource {
  requestIP(request: Request): { address: string } | null;
}

/** What Bun calls with each request. */
export interface BunHandler {
  fetch(request: Request, server?: CallerSource): Promise<Response | undefined>;
}

/** What Bun lends, for `createProxy(options).handle(request, runtime)`. */
export const runtime: Runtime = {
  name: `bun ${Bun.version}`,
  resolve: lookUp,
  send: createHttpSender({ connect: connectBun, patience: createPatience(), finish: fitServer }),
};

const answer = answerByEnvironment(runtime);
const handler: BunHandler = import.meta.main ? await openServer() : {
  fetch: (request, server) => answer(request, server?.requestIP(request)?.address),
};

export default handler;

async function openServer(): Promise<BunHandler> {
  const { serverOptions } = await import("./bun/serve.ts");
  const config = readConfig(process.env);
  const lent = await lend(config.host, () => config.port);
  return serverOptions(config, lent, await equip(config)) as BunHandler;
}
