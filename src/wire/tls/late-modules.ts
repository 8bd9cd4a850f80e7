/**
 * `node:tls` and `node:crypto`, loaded where TLS is used first: with all else that a plain start loads, they take the heap of
 * Node (20) past 8 MiB, where V8 marks all of it again and again while bodies pass.
 * @module
 */

import { createRequire } from "node:module";

const load = createRequire(process.execPath);

/** `node:tls`. An `import` would read all that it exports, and so make the texts of all root certificates (217 KB). */
export const nodeTls = (): typeof import("node:tls") => load("node:tls");

/** `node:crypto`. */
export const nodeCrypto = (): typeof import("node:crypto") => load("node:crypto");
