/**
 * The entry for Node: a server to mount or to start; settings come from the environment.
 * @module
 */

import process from "node:process";
import { createConfiguredProxy, readConfig } from "../index.ts";
import { createHttpSender } from "./send-http.ts";

export { createServer, listen } from "./serve-node.ts";

const proxy = createConfiguredProxy(readConfig(process.env));
const send = createHttpSender({ reuseForAll: true });

export default { fetch: (request: Request): Promise<Response> => proxy.handle(request, { send }) };
