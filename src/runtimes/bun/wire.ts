/**
 * Connections to targets by `Bun.connect` (1.4), which saves a twelfth of a request's CPU time compared with
 * `node:net`.
 * @module
 */

import { CLOSED, type Connect } from "../http1/wire.ts";
import { connectNode } from "../http1/wire-node.ts";
import { BunWire, countAbandoned } from "./bun-wire.ts";
import { connectSecure } from "./secure.ts";

/** `Bun.connect` can't be cancelled. If this many wait, `node:net` connects instead, which can. */
const MOST_ABANDONED = 32;
/** Connects directly to a single address; `node:net` does everything else. */
export const connectBun: Connect = (options, isSecure, watch) => {
  const [address, another] = options.addresses ?? [];
  if (!address || another || options.route || countAbandoned() >= MOST_ABANDONED) {
    return connectNode(options, isSecure, watch);
  }
  if (isSecure) return connectSecure(options, address, watch) ?? connectNode(options, isSecure, watch);
  const wire = new BunWire(watch);
  // `connectError` reports the failure too.
  Bun.connect({ hostname: address, port: options.port, socket: HANDLERS, data: wire }).catch(() => {});
  return wire;
};

/** Shared by all connections: the wire is the data of its connection. */
const HANDLERS: Bun.SocketHandler<BunWire, "buffer"> = {
  binaryType: "buffer",
  open: (socket) => socket.data.opened(socket),
  data: ({ data: wire }, bytes) => wire.received(bytes),
  drain: ({ data: wire }) => wire.drained(),
  end: ({ data: wire }) => wire.watch.onClose(),
  error: ({ data: wire }, failure) => wire.watch.onClose(failure),
  close: ({ data: wire }, failure) => wire.watch.onClose(failure ?? CLOSED),
  connectError: ({ data: wire }, failure) => wire.failed(failure),
};
