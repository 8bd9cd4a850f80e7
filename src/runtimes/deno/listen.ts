/**
 * A Deno listener that accepts callers.
 * @module
 */

import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext, type SecureContext } from "node:tls";
import type { WireWatch } from "../../wire/contract.ts";
import { Callers } from "../../wire/server/callers.ts";
import { HEAD_MS } from "../../wire/server/connection-deadlines.ts";
import { speaksTls } from "../../wire/server/first-bytes.ts";
import { stderr } from "../process/output.ts";
import type { TlsFiles } from "../process/tls-files.ts";
import type { Open, Place } from "../process/serve-callers.ts";
import { Admission } from "./accept-pace.ts";
import { DenoSecureWire } from "./secure-wire.ts";
import { readFirst, StartedConn } from "./started-connection.ts";
import { type Conn, DenoWire } from "./wire.ts";

/** Milliseconds to wait after a failed `accept`. */
const AGAIN_MS = 500;
/** Error codes of Deno (2.9) for a caller that left before it was accepted. The next caller may already be waiting. */
const LEFT = ["ENOTCONN", "ECONNABORTED", "ECONNRESET"];
/** The read buffer of an idle connection is enough for nearly all heads. */
const OPTIONS = { roomBytes: 4_096, isHalfOpen: true };

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
export const listenForCallers: Open = (place, tls, answering) => {
  let secureContext = tls && createSecureContext(tls);
  const listener = Deno.listen(place);
  const callers = new Callers(answering);
  let isOver = false;
  const accept = async () => {
    while (!isOver) {
      try {
        const conn = await listener.accept();
        if (secureContext) void takeFirst(conn, () => secureContext, take);
        else take(conn, conn.remoteAddr.hostname);
      } catch (error) {
        if (isOver) return;
        const { message, code } = error as Error & { code?: string };
        if (code && LEFT.includes(code)) continue;
        stderr.push(`fetchvia: no connection can be taken (${message}), trying again`);
        // Closing idle connections frees file descriptors.
        callers.closeIdle();
        await sleep(AGAIN_MS);
      }
    }
  };
  const take = (conn: Conn, address: string, context?: SecureContext) => {
    const connect = (watch: WireWatch) =>
      context ? new DenoSecureWire(conn, address, context, watch) : createWire(conn, watch);
    const isSecure = context !== undefined;
    const needsHttps = !isSecure && tls !== undefined;
    callers.take({ address, isSecure, isShaking: isSecure, needsHttps }, connect, () => conn.close());
  };
  void accept();
  const drain = () => {
    if (!isOver) listener.close();
    isOver = true;
    return callers.drain();
  };
  const renew = (next: TlsFiles) => void (secureContext = createSecureContext(next));
  return { port: listener.addr.port, drain, renew };
};

function createWire(conn: Conn, watch: WireWatch): DenoWire {
  const wire = new DenoWire(watch, { ...OPTIONS, admission: new Admission() });
  wire.adopt(conn);
  return wire;
}

/** Takes a connection of an https listener once its first bytes are there. */
async function takeFirst(
  conn: CallerConn,
  contextOf: () => SecureContext | undefined,
  take: (conn: Conn, address: string, context?: SecureContext) => void,
): Promise<void> {
  // Read now: after a reset, it can't be told any more.
  const { hostname } = conn.remoteAddr;
  const first = await readFirst(conn, HEAD_MS);
  if (first) take(new StartedConn(conn, first), hostname, speaksTls(first) ? contextOf() : undefined);
}
