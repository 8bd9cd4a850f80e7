/**
 * The entry for Node: the runtime for a proxy in your own server, and a listener for `node:http`. The default export is
 * a `fetch` to mount, with settings from the environment.
 * @module
 */

import type { Proxy } from "../index.ts";
import { answerByEnvironment } from "./process/environment.ts";
import { createNodeHandler, type NodeHandler } from "./node/handler.ts";
import type { Listener } from "./process/listener.ts";
import { runtime } from "./node/runtime.ts";

export type { Listener, NodeHandler };
export { listen } from "./node/serve.ts";
export { runtime };

/**
 * Makes a `node:http` listener from a proxy, also for Express and Connect. It answers WebSockets with 501; use
 * `listen` for them.
 *
 * @example
 * ```ts
 * createServer(createHandler(createProxy({ mountPath: "/proxy" }))).listen(3000);
 * ```
 */
export function createHandler(proxy: Proxy): NodeHandler {
  return createNodeHandler(proxy, runtime);
}

const answer = answerByEnvironment(runtime);
/**
 * A proxy with settings from the environment, to mount in a Web-standard server.
 *
 * It reads the environment at the first request, and a bad setting (`ConfigError`) rejects every request.
 */
// One parameter only: frameworks pass further ones, each with a different meaning.
const handler: { fetch(request: Request): Promise<Response> } = { fetch: (request) => answer(request) };

export default handler;
