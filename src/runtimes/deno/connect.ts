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
const MAX_ABANDONED = 32;

/** Connections that are still being made though nobody waits for them. */
let abandoned = 0;

/** Connects directly to a single address without TLS; `node:net` does everything else. */
export const connectDeno: Connect = (options, isSecure, watch) => {
  const [address, another] = options.addresses ?? [];
  if (isSecure || !address || another || options.route || abandoned >= MAX_ABANDONED) {
    return connectNode(options, isSecure, watch);
  }
  const wire = new TargetWire(watch, OPTIONS);
  const open = (conn: Conn) => {
    if (!wire.adopt(conn)) return;
    wire.resume();
    watch.onOpen();
  };
  const fail = (failure: Error) => {
    wire.settle();
    watch.onClose(failure);
  };
  Deno.connect({ hostname: address, port: options.port }).then(open, fail);
  return wire;
};

/** A connection that counts as abandoned if it is destroyed before it is made. */
class TargetWire extends DenoWire {
  #isSettled = false;

  override adopt(conn: Conn): boolean {
    this.settle();
    return super.adopt(conn);
  }

  override destroy(): void {
    if (!this.#isSettled && !this.isOver) abandoned += 1;
    super.destroy();
  }

  /** The connection is made, or has failed. */
  settle(): void {
    if (this.isOver && !this.#isSettled) abandoned -= 1;
    this.#isSettled = true;
  }
}
