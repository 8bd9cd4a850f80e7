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

/** Bytes to collect at most. A system call for each 64 KiB, as the server reads them, takes a third longer. */
const GATHERED_BYTES = 512 * 1024;

/** Connects as `connectNode` does, and never for a WebSocket. */
export const connectInBulk: Connect<Socket | LateWire> = (options, isSecure, watch) => {
  if (isSecure || options.route?.upstream) return connectNode(options, isSecure, watch);
  const wire = connectOpen(options, watch, (address) => openInBulk(address, watch));
  return Object.assign(wire, { gather: () => gather(socketOf(wire)) });
};

/** The connection passes its bytes on by itself, and has no `data` events. */
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

/** Holds back what is written, until the callers' connections have been read. True while there is room. */
function gather(socket: Socket): boolean {
  if (socket.writableCorked === 0) {
    socket.cork();
    void untilTurnEnd().then(() => socket.uncork());
  }
  return socket.writableLength < GATHERED_BYTES;
}
