/**
 * Connections to targets with `Deno.connect` (2.9), which takes half the CPU time of `node:net` for large bodies.
 * @module
 */

import { canDial, Dialling } from "../../wire/dialling.ts";
import type { Connect, WireWatch } from "../../wire/contract.ts";
import { connectNode } from "../../wire/wire-node.ts";
import { type Conn, DenoWire } from "./wire.ts";

/** The members of Deno used here, declared so that every compiler can check this file. */
declare const Deno: { connect(place: { hostname: string; port: number }): Promise<Conn> };

/** The read buffer of an idle connection is enough for most responses. */
const OPTIONS = { roomBytes: 16_384, fullBlocks: 2, isHalfOpen: false };

/** Connects directly, without TLS, to the addresses of a target; `node:net` does everything else. */
export const connectDeno: Connect = (options, isSecure, watch) => {
  const { addresses = [], port, route } = options;
  if (isSecure || addresses.length === 0 || route || !canDial()) return connectNode(options, isSecure, watch);
  const dialling = new Dialling(addresses, {
    dial: (hostname) => void Deno.connect({ hostname, port }).then(open, fail),
    onFailure: (failure) => watch.onClose(failure),
  });
  const wire = new TargetWire(watch, dialling);
  const open = (conn: Conn) => {
    if (!dialling.connected()) return conn.close();
    wire.adopt(conn);
    wire.resume();
    watch.onOpen();
  };
  const fail = (failure: Error) => dialling.failed(failure);
  dialling.begin();
  return wire;
};

/** A connection that may be destroyed while it is still being made. */
class TargetWire extends DenoWire {
  readonly #dialling: Dialling;

  constructor(watch: WireWatch, dialling: Dialling) {
    super(watch, OPTIONS);
    this.#dialling = dialling;
  }

  override destroy(): void {
    this.#dialling.cancel();
    super.destroy();
  }
}
