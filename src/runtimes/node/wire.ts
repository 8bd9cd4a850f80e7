/**
 * Connections to targets that read and write large bodies in few pieces.
 *
 * By default Node (20) reads at most 64 KiB at a time, each time into new memory. Here all connections read into one shared
 * block, and each large body into blocks of its own, which are reused unless their bytes were handed out.
 * @module
 */

import { Buffer } from "node:buffer";
import { connect as connectPlain, type OnReadOpts, type Socket } from "node:net";
import { type LateWire, socketOf } from "../../wire/late-wire.ts";
import { untilTurnEnd } from "../../wire/turn.ts";
import type { Connect, WireWatch } from "../../wire/contract.ts";
import { connectNode, connectOpen, type Open } from "../../wire/wire-node.ts";

/** Bytes of the block that all connections share; most reads are far smaller. */
const SHARED_BYTES = 64 * 1024;
/** Bytes per read once a read has filled the shared block. */
const BLOCK_BYTES = 256 * 1024;
/** Reads up to this many bytes are copied, so that a chunk does not keep a mostly empty block alive. */
const MAX_COPIED_BYTES = BLOCK_BYTES / 2;
/** Maximum number of spare blocks. */
const MAX_SPARE_BLOCKS = 16;

const shared = Buffer.allocUnsafeSlow(SHARED_BYTES);
/** Unused blocks. */
const spares: Buffer[] = [];

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

/** The memory that one connection reads into. */
export class ReadBlocks {
  /** The block of this connection, while it reads a large body. */
  #own: Buffer | undefined;

  /** The memory for the next read. */
  get next(): Buffer {
    return this.#own ?? shared;
  }

  /** The bytes of a read into `next`. They are safe to keep: their memory is not reused. */
  take(size: number): Buffer {
    const block = this.next;
    const bytes = block.subarray(0, size);
    // A read of this size suggests that more is about to come.
    const isLarge = size >= SHARED_BYTES;
    if (size > MAX_COPIED_BYTES) {
      this.#own = takeBlock();
      return bytes;
    }
    if (isLarge) this.#own ??= takeBlock();
    else this.close();
    return Buffer.from(bytes);
  }

  /** Releases the block of a connection that has closed, or that reads nothing large any more. */
  close(): void {
    if (this.#own && spares.length < MAX_SPARE_BLOCKS) spares.push(this.#own);
    this.#own = undefined;
  }
}

function takeBlock(): Buffer {
  return spares.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
}
