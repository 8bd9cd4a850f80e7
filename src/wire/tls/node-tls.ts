/**
 * `node:tls`, without the texts of all root certificates.
 * @module
 */

import { createRequire } from "node:module";

/**
 * The module. An `import` of it reads all that it exports, and so makes those texts: 217 KB of the heap on Node (20), of which
 * more than 8 MiB make V8 mark all of it again and again while bodies pass.
 */
export const tls = createRequire(process.execPath)("node:tls") as typeof import("node:tls");
