/**
 * The sender for Node, Deno and Bun: HTTP/1.1 with raw bytes, exact path, any method, and checked addresses only.
 *
 * `node:http` on Node and `fetch` on Deno cost twice as much per request. Each client has its own faults: Bun and Deno
 * resend requests that met a closing connection, accept some truncated bodies, and change methods and paths.
 * @module
 */

import { clearImmediate, setImmediate } from "node:timers";
import type { Patience } from "../../http/gather.ts";
import type { Send } from "../../exchange/runtime.ts";
import { type Finish, HttpPool } from "./pool.ts";
import type { Connect } from "./wire.ts";
import { connectNode } from "./wire-node.ts";

/**
 * Waits until connections have been read once more: many servers send the head and the body of a short answer apart.
 * What is read in this turn of the event loop is at hand already, so that is in the next one.
 */
export const A_TURN: Patience = {
  maxBytes: 65_536,
  joinedBytes: 65_536,
  wait(expire) {
    let immediate = setImmediate(() => (immediate = setImmediate(expire)));
    return { stop: () => clearImmediate(immediate) };
  },
};

/** How targets are reached, and their answers made ready for a server. */
export interface HttpSenderOptions {
  connect?: Connect;
  /** For bodies that are handed on whole rather than as they come. */
  patience?: Patience;
  /** What else the server needs. */
  finish?: Finish;
}

/** Makes a sender with connections of its own. */
export function createHttpSender(
  { connect = connectNode, patience = A_TURN, finish }: HttpSenderOptions = {},
): Send {
  const pool = new HttpPool(patience, connect);
  return (outgoing) => pool.send(outgoing, finish);
}
