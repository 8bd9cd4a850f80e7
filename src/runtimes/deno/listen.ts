/**
 * A Deno listener that accepts callers.
 * @module
 */

import { Buffer } from "node:buffer";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import type { WireWatch } from "../../wire/contract.ts";
import { HEAD_MS } from "../../wire/server/connection-deadlines.ts";
import { speaksTls } from "../../wire/server/first-bytes.ts";
import { stderr } from "../process/output.ts";
import type { TlsFiles } from "../process/tls-files.ts";
import type { Open, Place } from "../process/serve-callers.ts";
import { Admission } from "./accept-pace.ts";
import { carry, DenoSecureWire } from "./secure-wire.ts";
import { type Conn, DenoWire } from "./wire.ts";

/** Milliseconds to wait after a failed `accept`. */
const AGAIN_MS = 500;
/** Error codes of Deno (2.9) for a caller that left before it was accepted. The next caller may already be waiting. */
const LEFT = ["ENOTCONN", "ECONNABORTED", "ECONNRESET"];
/** Bytes to read at first over https: a ClientHello fits. */
const FIRST_BYTES = 4_096;
/** The read buffer of an idle connection is enough for nearly all heads. */
const OPTIONS = { roomBytes: 4_096, fullBlocks: 1, isHalfOpen: true };

/** A connection of a caller. */
interface CallerConn extends Conn {
  remoteAddr: { hostname: string };
}

interface Listening {
  addr: { port: number };
  accept(): Promise<CallerConn>;
  close(): void;
}

/** The members of Deno used here, declared so that every compiler can check this file. */
declare const Deno: {
  listen(place: Place): Listening;
};

/** Listens; throws if the address can't be used. */
export const listenForCallers: Open = (place, tls, callers) => {
  let secureContext = tls && createSecureContext(tls);
  const listener = Deno.listen(place);
  let isOver = false;
  const accept = async () => {
    while (!isOver) {
      try {
        const conn = await listener.accept();
        if (secureContext) void takeFirst(conn, take);
        else take(conn, conn.remoteAddr.hostname);
      } catch (error) {
        if (isOver) return;
        const { message, code } = error as Error & { code?: string };
        if (code && LEFT.includes(code)) continue;
        stderr.push(`fetchvia: no connection can be taken (${message}), trying again`);
        callers.closeIdle(); // frees file descriptors
        await sleep(AGAIN_MS);
      }
    }
  };
  const take = (conn: Conn, address: string, first?: Buffer) => {
    const context = first && speaksTls(first) ? secureContext : undefined;
    const isSecure = context !== undefined;
    const needsHttps = first !== undefined && !isSecure;
    const connect = (watch: WireWatch) =>
      context
        ? new DenoSecureWire(carry(conn, address), first!, context, watch)
        : createWire(conn, watch, first);
    callers.take({ address, isSecure, isShaking: isSecure, needsHttps }, connect, () => conn.close());
  };
  void accept();
  const stop = () => {
    if (!isOver) listener.close();
    isOver = true;
  };
  const renew = (next: TlsFiles) => void (secureContext = createSecureContext(next));
  return { port: listener.addr.port, stop, renew };
};

function createWire(conn: Conn, watch: WireWatch, first?: Buffer): DenoWire {
  const wire = new DenoWire(watch, { ...OPTIONS, admission: new Admission() });
  wire.adopt(conn);
  // Behind the opening of the connection.
  if (first) process.nextTick(() => watch.onBytes(first));
  return wire;
}

/** Takes a connection of an https listener once its first bytes are there. */
async function takeFirst(
  conn: CallerConn,
  take: (conn: Conn, address: string, first: Buffer) => void,
): Promise<void> {
  // Read now: after a reset, it can't be told any more.
  const { hostname } = conn.remoteAddr;
  const first = await readFirst(conn, HEAD_MS);
  if (first) take(conn, hostname, first);
}

/**
 * Reads the first bytes of a connection.
 *
 * @param limitMs after this many milliseconds without a byte, the connection is closed
 * @returns the bytes; `undefined` where there are none: then the connection is closed
 */
export async function readFirst(conn: Conn, limitMs: number): Promise<Buffer | undefined> {
  const room = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let isOpen = true;
  const close = () => {
    if (isOpen) conn.close();
    isOpen = false;
  };
  const timer = setTimeout(close, limitMs);
  const size = await conn.read(room).catch(() => null);
  clearTimeout(timer);
  if (size && isOpen) return room.subarray(0, size);
  close();
  return undefined;
}
