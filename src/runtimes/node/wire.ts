/**
 * Connections to targets that read and write large bodies in few pieces.
 * @module
 */

import { connect as connectPlain, type OnReadOpts, type Socket } from "node:net";
import { type LateWire, socketOf } from "../../wire/late-wire.ts";
import { untilTurnEnd } from "../../wire/turn.ts";
import type { Connect, WireWatch } from "../../wire/contract.ts";
import { connectNode, connectOpen, type Open } from "../../wire/wire-node.ts";
import { ReadBlocks } from "./read-blocks.ts";

/** Maximum bytes to collect. With one system call per 64 KiB, as the server reads them, an upload takes a third longer. */
const GATHERED_BYTES = 512 * 1024;

/** Connects like `connectNode`. Not for WebSockets. */
export const connectInBulk: Connect<Socket | LateWire> = (options, isSecure, watch) => {
  if (isSecure || options.route?.upstream) return connectNode(options, isSecure, watch);
  const wire = connectOpen(options, watch, (address) => openInBulk(address, watch));
  return Object.assign(wire, { gather: () => gather(socketOf(wire)) });
};

/** Opens a connection that passes its bytes to the watch directly, without `data` events. */
function openInBulk(address: Parameters<Open>[0], watch: WireWatch): Socket {
  const blocks = new ReadBlocks();
  const onread: OnReadOpts = {
    buffer: () => blocks.next,
    callback(size) {
      watch.onBytes(blocks.take(size));
      return true;
    },
  };
  return connectPlain({ ...address, onread }).once("close", () => blocks.close());
}

/** Holds back written bytes until the callers' connections have been read in this turn. True while there is room. */
function gather(socket: Socket): boolean {
  if (socket.writableCorked === 0) {
    socket.cork();
    void untilTurnEnd().then(() => socket.uncork());
  }
  return socket.writableLength < GATHERED_BYTES;
}
