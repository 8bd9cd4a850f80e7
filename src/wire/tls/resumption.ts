/**
 * Resumes the TLS session of an earlier connection to the same target, and keeps the sessions that a connection receives.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { TLSSocket } from "node:tls";
import { type ConnectionOptions, numberOf } from "../client/connection-options.ts";
import { traits } from "../runtime-traits.ts";
import { type TlsSession, TlsSessions } from "./tls-sessions.ts";

const kept = new TlsSessions();

/** The session that one connection resumes, and the ones that it receives. */
export class Resumption {
  readonly #identity: string;
  readonly #offered: TlsSession | undefined;
  /** Facts shared by all sessions of the connection; `undefined` until its certificate has been accepted. */
  #common: Omit<TlsSession, "bytes"> | undefined;
  /** A session that arrived before the certificate was accepted. */
  #early: Buffer | undefined;

  constructor(identity: string, offered: TlsSession | undefined) {
    this.#identity = identity;
    this.#offered = offered;
  }

  /** The session to offer. */
  get session(): Buffer | undefined {
    return this.#offered?.bytes;
  }

  /** The certificate has been accepted, or the session that was resumed in its place. */
  accept(isResumed: boolean, protocol: string | null): void {
    // The target did not resume, so it has lost the state that all sessions of this identity need.
    if (!isResumed) this.#drop();
    const checkedAt = isResumed && this.#offered ? this.#offered.checkedAt : Date.now();
    this.#common = { checkedAt, servesAgain: protocol !== "TLSv1.3" };
    if (this.#early) this.keep(this.#early);
  }

  /** The target has sent a session. */
  keep(bytes: Buffer): void {
    if (!this.#common) {
      this.#early = bytes;
      return;
    }
    kept.keep(this.#identity, { bytes, ...this.#common });
  }

  /** The connection has closed. A session that broke the handshake is dropped, because it would break later ones too. */
  close(): void {
    if (!this.#common) this.#drop();
  }

  #drop(): void {
    if (this.#offered) kept.forget(this.#identity);
  }
}

/** The resumption for a connection with these options; `undefined` if it must do a full handshake. */
export function resume(options: ConnectionOptions): Resumption | undefined {
  const identity = identityOf(options);
  return identity === undefined ? undefined : new Resumption(identity, kept.take(identity));
}

/** Connects a `node:tls` socket to its resumption. Must be called in the turn in which the socket was created. */
export function followSocket(socket: TLSSocket, resumption: Resumption): void {
  // Node emits TLS 1.2 sessions only to listeners added before the handshake ends.
  socket.on("session", (bytes: Buffer) => resumption.keep(bytes));
  socket.once("secureConnect", () => resumption.accept(socket.isSessionReused(), socket.getProtocol()));
  socket.once("close", () => resumption.close());
}

/**
 * The key for everything that decides whether the target is trusted: name, port and route object. A new table has new route
 * objects. With a pin there is no resumption, because Node exposes no certificate on a resumed connection.
 */
function identityOf({ target, route, isLook }: ConnectionOptions): string | undefined {
  if (traits.resumesByItself || isLook || route?.tls?.pin) return undefined;
  return route ? `${target} ${numberOf(route)}` : target;
}
