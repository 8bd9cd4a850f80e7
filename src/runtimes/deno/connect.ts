/**
 * Connections to targets by `Deno.connect` (2.9): half the CPU time of `node:net` for large bodies.
 * @module
 */

import type { Connect } from "../http1/wire.ts";
import { connectNode } from "../http1/wire-node.ts";
import { type Conn, DenoWire } from "./wire.ts";

/** The members of Deno used here, declared so that every compiler can check this file. */
declare const Deno: { connect(place: { hostname: string; port: number }): Promise<Conn> };

/** Memory of a connection while it waits: most answers are shorter. */
const OPTIONS = { roomBytes: 16_384, isHalfOpen: false };
/** `Deno.connect` can't be cancelled. If this many wait, `node:net` connects instead, which can. */
const MAX_WAITING = 32;

let waiting = 0;

/** Connects directly to a single address without TLS; `node:net` does everything else. */
export const connectDeno: Connect = (options, isSecure, watch) => {
  const [address, another] = options.addresses ?? [];
  if (isSecure || !address || another || options.route || waiting >= MAX_WAITING) {
    return connectNode(options, isSecure, watch);
  }
  const wire = new DenoWire(watch, OPTIONS);
  const open = (conn: Conn) => {
    waiting -= 1;
    if (!wire.adopt(conn)) return;
    wire.resume();
    watch.onOpen();
  };
  const fail = (failure: Error) => {
    waiting -= 1;
    watch.onClose(failure);
  };
  waiting += 1;
  Deno.connect({ hostname: address, port: options.port }).then(open, fail);
  return wire;
};
