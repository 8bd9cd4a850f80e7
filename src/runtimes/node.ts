/**
 * The entry for Node: what Node lends to a proxy in a server of your own, and a listener for `node:http`. The default
 * export is a `fetch` to mount; its settings come from the environment.
 * @module
 */

import type { Proxy } from "../index.ts";
import { answerByEnvironment } from "./process/environment.ts";
import { createNodeHandler, type NodeHandler } from "./node/handler.ts";
import { runtime } from "./node/runtime.ts";

export type { NodeHandler };
export { createServer, listen } from "./node/serve.ts";
export { runtime };

/** Makes a proxy a listener of `node:http`. */
export function createHandler(proxy: Proxy): NodeHandler {
  return createNodeHandler(proxy, runtime);
}

const answer = answerByEnvironment(runtime);
// One parameter: frameworks hand over more, which means something else to each of them.
const handler: { fetch(request: Request): Promise<Response> } = { fetch: (request) => answer(request) };

export default handler;
