/**
 * The entry for Deno: the runtime for a proxy in your own server. `deno serve` serves the default export, with settings
 * from the environment.
 * @module
 */

import { answerByEnvironment } from "./process/environment.ts";
import { runtime } from "./deno/runtime.ts";

export { runtime };

/** What `Deno.serve` reports about a connection. */
export interface ConnectionInfo {
  /** The peer; without a `hostname` if it has no IP address, as on a Unix socket. */
  remoteAddr: { hostname?: string | undefined };
}

/** What `Deno.serve` calls with each request. */
export interface DenoHandler {
  /** Answers a request. `info` contains the caller's address. */
  fetch(request: Request, info: ConnectionInfo): Promise<Response>;
}

const answer = answerByEnvironment(runtime);
/**
 * A proxy with settings from the environment. `deno serve` serves it, and your own server can mount it.
 *
 * If mounted, it reads the environment at the first request, and a bad setting (`ConfigError`) rejects every request.
 */
const handler: DenoHandler = import.meta.main
  ? await (await import("./deno/handler.ts")).createHandler()
  : { fetch: (request, info) => answer(request, info.remoteAddr.hostname) };

export default handler;
