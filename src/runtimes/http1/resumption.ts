/**
 * Offers a connection the session of an earlier one to the same target, and keeps those that it gets.
 * @module
 */

import type { Buffer } from "node:buffer";
import process from "node:process";
import type { TLSSocket } from "node:tls";
import { type ConnectionOptions, numberOf } from "./address.ts";
import { TlsSessions } from "./tls-sessions.ts";

/**
 * Deno (2.9) takes no session and shows none. It resumes by itself, by the name and the way to check it, except with
 * authorities or a certificate of the entry's own. It compares the name again.
 */
const keepsItsOwn = "deno" in process.versions;
const sessions = new TlsSessions();

/** What a connection resumes. */
export interface Resumption {
  /** For `tls.connect`. */
  readonly offer: { session?: Buffer };
  /** Follows the connection. It is called once, in the turn in which the connection was made. */
  follow(socket: TLSSocket): void;
}

/** What a connection with these options may resume; `undefined` for nothing. */
export function resume(options: ConnectionOptions): Resumption | undefined {
  const identity = identityOf(options);
  if (identity === undefined) return undefined;
  const offered = sessions.take(identity);
  const forget = () => sessions.forget(identity);
  const follow = (socket: TLSSocket) => {
    let keep: ((bytes: Buffer) => void) | undefined;
    let early: Buffer | undefined;
    // Node gives those of TLS 1.2 only to who listens before the handshake is over.
    socket.on("session", (bytes: Buffer) => keep ? keep(bytes) : (early = bytes));
    // A session that breaks the handshake would break each later one.
    if (offered) socket.once("close", forget);
    socket.once("secureConnect", () => {
      socket.off("close", forget);
      const isResumed = socket.isSessionReused();
      // The target has lost what all of them need.
      if (offered && !isResumed) forget();
      const checkedAt = offered && isResumed ? offered.checkedAt : Date.now();
      const servesAgain = socket.getProtocol() !== "TLSv1.3";
      keep = (bytes) => sessions.keep(identity, { bytes, checkedAt, servesAgain });
      if (early) keep(early);
    });
  };
  return { offer: offered ? { session: offered.bytes as Buffer } : {}, follow };
}

/**
 * All that decides whether the target is trusted: its name, its port and the object of its route. A new table has new
 * objects. With a pin there is no resumption, because Node shows no certificate on it.
 */
function identityOf({ target, route, isLook }: ConnectionOptions): string | undefined {
  if (keepsItsOwn || isLook || route?.tls?.pin) return undefined;
  return route ? `${target} ${numberOf(route)}` : target;
}
