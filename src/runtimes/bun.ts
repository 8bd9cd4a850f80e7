/**
 * The entry for Bun: the runtime for a proxy in your own server. Run by itself it starts the proxy, with settings from
 * the environment.
 * @module
 */

import { answerByEnvironment } from "./process/environment.ts";
import { runtime } from "./bun/runtime.ts";

export { runtime };

/** The part of Bun's server that knows the caller's address, and how long its connection may be silent. */
export interface CallerSource {
  /** Sets the seconds; 0 for no limit. */
  timeout?(request: Request, seconds: number): void;
  /** The caller's address; `null` if there is none, as on a Unix socket. */
  requestIP(request: Request): { address: string } | null;
}

/** What Bun calls with each request. */
export interface BunHandler {
  /** Answers a request; `undefined` if it became a WebSocket. Without `server` the caller's address is unknown. */
  fetch(request: Request, server?: CallerSource): Promise<Response | undefined>;
}

const answer = answerByEnvironment(runtime);
const mounted: BunHandler = {
  fetch(request, server) {
    // Bun would cut a response that pauses for 10 seconds. The proxy has its own timeouts.
    server?.timeout?.(request, 0);
    return answer(request, server?.requestIP(request)?.address);
  },
};

if (import.meta.main) await (await import("./bun/serve.ts")).run();

/**
 * A proxy with settings from the environment. For your own server.
 *
 * It reads the environment at the first request, and a bad setting (`ConfigError`) rejects every request. In a main module
 * it is empty: Bun would serve it, and the proxy listens by itself there.
 */
const handler: BunHandler = import.meta.main ? {} as BunHandler : mounted;

export default handler;
