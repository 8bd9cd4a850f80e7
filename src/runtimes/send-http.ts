/**
 * The sender for Node, Deno and Bun: HTTP/1.1 over `node:net` and `node:tls`, with raw bytes, exact path, any method, and
 * judged addresses only.
 *
 * `node:http` and `fetch` cost two to three times as much a request, and each has its own exceptions: Bun and Deno send
 * again what met a closing connection, take some ends of a body for clean ones, and change methods and paths.
 * @module
 */

import type { Send } from "../index.ts";
import { HttpPool } from "./http-pool.ts";

/** Makes a sender with connections of its own. */
export function createHttpSender(): Send {
  const pool = new HttpPool();
  return (outgoing) => pool.send(outgoing);
}
