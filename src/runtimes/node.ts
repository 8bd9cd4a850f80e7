/**
 * The entry for Node: a server to start, and a `fetch` to mount in another; settings come from the environment.
 * @module
 */

import process from "node:process";
import { createConfiguredProxy, readConfig } from "../index.ts";
import { lookUp } from "./lend.ts";
import { createHttpSender } from "./send-http.ts";

export { createServer, listen } from "./serve-node.ts";

const proxy = createConfiguredProxy(readConfig(process.env));
const runtime = { resolve: lookUp, send: createHttpSender({ reuseForAll: true }) };

export default { fetch: (request: Request): Promise<Response> => proxy.handle(request, runtime) };
