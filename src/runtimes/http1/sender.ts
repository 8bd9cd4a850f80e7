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
 * Waits until the next turn of the event loop has read the connections: many servers send the head and the body of a
 * short response separately.
 */
export const A_TURN: Patience = {
  maxBytes: 65_536,
  joinedBytes: 65_536,
  wait(expire) {
    let immediate = setImmediate(() => (immediate = setImmediate(expire)));
    return { stop: () => clearImmediate(immediate) };
  },
};

/** Options of the sender: how it connects, and how it adapts responses to a server. */
export interface HttpSenderOptions {
  connect?: Connect;
  /** When to buffer a body instead of streaming it. */
  patience?: Patience;
  /** Adapts responses to the server. */
  finish?: Finish;
}

/** Makes a sender with its own connection pool. */
export function createHttpSender(
  { connect = connectNode, patience = A_TURN, finish }: HttpSenderOptions = {},
): Send {
  const pool = new HttpPool(patience, connect);
  return (outgoing) => pool.send(outgoing, finish);
}
