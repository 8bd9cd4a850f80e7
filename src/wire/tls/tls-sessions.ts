/**
 * Keeps TLS sessions for later connections to the same target. Resuming one takes half a handshake and needs no certificate
 * (RFC 8446 §2.2, RFC 5077).
 * @module
 */

import type { Buffer } from "node:buffer";

/**
 * How long after the check of a certificate its sessions may be resumed, in milliseconds. On resumption the certificate is
 * not checked again, and Node does not even compare the name.
 */
const TRUSTED_MS = 600_000;
/** Maximum number of targets with sessions; the least recently used one is dropped first. */
const MOST_TARGETS = 256;
/** Maximum sessions of one target: each is used once, so connections that open at the same time need one each. */
const MOST_SESSIONS = 32;
/** Maximum bytes of all sessions. Each holds the target's certificates and a ticket, which may be 64 KiB long. */
const MOST_BYTES = 8_388_608;
/** Sessions of more bytes are not kept, so that one target can't displace the others. */
const LARGEST_BYTES = 16_384;

/** A TLS session, with facts about it. */
export interface TlsSession {
  readonly bytes: Buffer;
  /** When the certificate was checked, in Unix milliseconds. Sessions of a resumed connection inherit this time. */
  readonly checkedAt: number;
  /** True for TLS 1.2. TLS 1.3 tickets are used once, so that observers can't link connections (RFC 8446 §C.4). */
  readonly servesAgain: boolean;
}

/** The sessions of one identity. */
interface Kept {
  /** The newest is last. */
  readonly sessions: TlsSession[];
  /** Bytes of all sessions of this identity. */
  size: number;
}

/** Sessions by the identity of a connection, which covers everything that decides whether its target is trusted. */
export class TlsSessions {
  /** The most recently used identity is last. */
  readonly #kept = new Map<string, Kept>();
  #last: string | undefined;
  #size = 0;

  /** Bytes of all sessions. */
  get size(): number {
    return this.#size;
  }

  /**
   * Returns the newest session of an identity that may still be resumed, and drops expired ones.
   *
   * @param now in Unix milliseconds
   */
  take(identity: string, now: number = Date.now()): TlsSession | undefined {
    const kept = this.#kept.get(identity);
    if (!kept) return undefined;
    this.#touch(identity, kept);
    const { sessions } = kept;
    let session: TlsSession | undefined;
    while (!session && sessions.length > 0) {
      const newest = sessions.at(-1)!;
      const age = now - newest.checkedAt;
      if (age >= 0 && age < TRUSTED_MS) session = newest;
      if (session?.servesAgain !== true) this.#count(kept, -sessions.pop()!.bytes.length);
    }
    if (sessions.length === 0) this.#kept.delete(identity);
    return session;
  }

  /** Keeps a session for later connections of the same identity. */
  keep(identity: string, session: TlsSession): void {
    if (session.bytes.length > LARGEST_BYTES) return;
    if (session.servesAgain) this.forget(identity);
    const kept = this.#kept.get(identity) ?? { sessions: [], size: 0 };
    if (kept.sessions.length === MOST_SESSIONS) this.#count(kept, -kept.sessions.shift()!.bytes.length);
    kept.sessions.push(session);
    this.#count(kept, session.bytes.length);
    this.#touch(identity, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_TARGETS && this.#size <= MOST_BYTES) return;
      this.forget(oldest);
    }
  }

  /** Drops all sessions of an identity. */
  forget(identity: string): void {
    this.#size -= this.#kept.get(identity)?.size ?? 0;
    this.#kept.delete(identity);
  }

  /** Moves an identity to the end, unless it is there already. */
  #touch(identity: string, kept: Kept): void {
    if (this.#last === identity && this.#kept.has(identity)) return;
    this.#kept.delete(identity);
    this.#kept.set(identity, kept);
    this.#last = identity;
  }

  #count(kept: Kept, bytes: number): void {
    kept.size += bytes;
    this.#size += bytes;
  }
}
