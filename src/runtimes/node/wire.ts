/**
 * Connections to targets that read and write large bodies in few pieces.
 * @module
 */

import { connect as connectPlain, type OnReadOpts, type Socket } from "node:net";
import type { ConnectionOptions } from "../http1/address.ts";
import type { TunnelWire } from "../http1/tunnel/wire.ts";
import { untilTurnEnd } from "../http1/turn.ts";
import { watchSocket } from "../http1/watch-socket.ts";
import type { Connect, WireWatch } from "../http1/wire.ts";
import { connectNode } from "../http1/wire-node.ts";
import { ReadBlocks } from "./read-blocks.ts";

/** Bytes to collect at most. A system call for each 64 KiB, as the server reads them, takes a third longer. */
const GATHERED_BYTES = 512 * 1024;

/** Connects as `connectNode` does, and never for a WebSocket. */
export const connectInBulk: Connect<Socket | TunnelWire> = (options, isSecure, watch) =>
  isSecure || options.route?.upstream
    ? connectNode(options, isSecure, watch)
    : connectPlainly(options, watch);

/** It passes its bytes on by itself, and has no `data` events. */
function connectPlainly(options: ConnectionOptions, watch: WireWatch): Socket {
  const blocks = new ReadBlocks();
  const onread: OnReadOpts = {
    buffer: () => blocks.next,
    callback(size) {
      watch.onBytes(blocks.take(size));
      return true;
    },
  };
  const socket = connectPlain({ ...options, onread }).setNoDelay(true);
  socket.once("connect", () => watch.onOpen());
  socket.once("close", () => blocks.close());
  watchSocket(socket, watch);
  return Object.assign(socket, { gather: () => gather(socket) });
}

/** Holds back what is written, until the callers' connections have been read. True while there is room. */
function gather(socket: Socket): boolean {
  if (socket.writableCorked === 0) {
    socket.cork();
    void untilTurnEnd().then(() => socket.uncork());
  }
  return socket.writableLength < GATHERED_BYTES;
}
