/**
 * The entry for Bun: the runtime for a proxy in your own server. `bun run` serves the default export, with settings
 * from the environment.
 * @module
 */

import { readConfig } from "../settings/config.ts";
import { answerByEnvironment } from "./process/environment.ts";
import { createParts } from "./process/parts.ts";
import { findOwnAddresses } from "./process/own-addresses.ts";
import { runtime } from "./bun/runtime.ts";

export { runtime };

/** The part of Bun's server that knows the caller's address. */
export interface CallerSource {
  /** The caller's address; `null` where there is none, as on a Unix socket. */
  requestIP(request: Request): { address: string } | null;
}

/** What Bun calls with each request. */
export interface BunHandler {
  /** Answers a request; `undefined` where it has become a WebSocket. Without a server the caller's address is unknown. */
  fetch(request: Request, server?: CallerSource): Promise<Response | undefined>;
}

const answer = answerByEnvironment(runtime);
/**
 * A proxy with the settings of the environment: `bun run` serves it, and a server of your own may mount it.
 *
 * When it is mounted, the environment is read with the first request, and a bad setting (`ConfigError`) rejects every one.
 */
const handler: BunHandler = import.meta.main ? await openServer() : {
  fetch: (request, server) => answer(request, server?.requestIP(request)?.address),
};

export default handler;

async function openServer(): Promise<BunHandler> {
  const { serverOptions } = await import("./bun/serve.ts");
  const config = readConfig(process.env);
  const own = await findOwnAddresses(config.host, () => config.port);
  return serverOptions(config, own, await createParts(config)) as BunHandler;
}
