/**
 * Offers a connection the session of an earlier one to the same target, and keeps those that it gets.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { TLSSocket } from "node:tls";
import { type ConnectionOptions, numberOf } from "../client/connection-options.ts";
import { withoutCertificate } from "./session-certificate.ts";
import { type TlsSession, TlsSessions } from "./tls-sessions.ts";

/**
 * Deno (2.9) takes no session and shows none. It resumes by itself, by the name and the way to check it, except with
 * authorities or a certificate of the entry's own. It compares the name again.
 */
const keepsItsOwn = "deno" in process.versions;
/** BoringSSL, in Bun, leaves certificates unread until someone asks for them. */
const readsCertificates = !("bun" in process.versions);
const kept = new TlsSessions();

/** What one connection resumes and keeps. */
export class Resumption {
  readonly #identity: string;
  readonly #offered: TlsSession | undefined;
  /** What its sessions have in common; `undefined` until its certificate has been accepted. */
  #common: Omit<TlsSession, "bytes"> | undefined;
  /** Came before that. */
  #early: Buffer | undefined;

  constructor(identity: string, offered: TlsSession | undefined) {
    this.#identity = identity;
    this.#offered = offered;
  }

  /** The session to offer. */
  get session(): Buffer | undefined {
    return this.#offered?.bytes;
  }

  /** The certificate, or the session in its place, has been accepted. */
  accept(isResumed: boolean, protocol: string | null): void {
    // The target has lost what all of them need.
    if (!isResumed) this.#drop();
    const checkedAt = isResumed && this.#offered ? this.#offered.checkedAt : Date.now();
    this.#common = { checkedAt, servesAgain: protocol !== "TLSv1.3" };
    if (this.#early) this.keep(this.#early);
  }

  /** The target gives a session. */
  keep(bytes: Buffer): void {
    if (!this.#common) {
      this.#early = bytes;
      return;
    }
    const { checkedAt, servesAgain } = this.#common;
    const staysWhole = servesAgain || !readsCertificates;
    kept.keep(this.#identity, {
      bytes: staysWhole ? bytes : withoutCertificate(bytes),
      checkedAt,
      servesAgain,
    });
  }

  /** The connection has closed. A session that breaks the handshake would break each later one. */
  close(): void {
    if (!this.#common) this.#drop();
  }

  #drop(): void {
    if (this.#offered) kept.forget(this.#identity);
  }
}

/** What a connection with these options may resume; `undefined` if it must make the whole handshake. */
export function resume(options: ConnectionOptions): Resumption | undefined {
  const identity = identityOf(options);
  return identity === undefined ? undefined : new Resumption(identity, kept.take(identity));
}

/** Lets a socket of `node:tls` tell what happens; in the turn in which it was made. */
export function followSocket(socket: TLSSocket, resumption: Resumption): void {
  // Node emits TLS 1.2 sessions only to listeners added before the handshake ends.
  socket.on("session", (bytes: Buffer) => resumption.keep(bytes));
  socket.once("secureConnect", () => resumption.accept(socket.isSessionReused(), socket.getProtocol()));
  socket.once("close", () => resumption.close());
}

/**
 * All that decides whether the target is trusted: its name, its port and the object of its route. A new table has new
 * objects. With a pin there is no resumption, because Node shows no certificate on it.
 */
function identityOf({ target, route, isLook }: ConnectionOptions): string | undefined {
  if (keepsItsOwn || isLook || route?.tls?.pin) return undefined;
  return route ? `${target} ${numberOf(route)}` : target;
}
