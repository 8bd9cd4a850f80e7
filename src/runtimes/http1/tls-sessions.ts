/**
 * TLS sessions that later connections to the same target resume: half the handshake, and no certificate (RFC 8446 §2.2,
 * RFC 5077).
 * @module
 */

import type { Buffer } from "node:buffer";

/**
 * How long after a certificate was checked its sessions may be resumed, in milliseconds. Nobody checks it again on
 * resumption, and Node doesn't even compare the name.
 */
const TRUSTED_MS = 600_000;
/** Targets with sessions; the one that was used longest ago goes first. */
const MOST_TARGETS = 256;
/** Sessions of one target: each is used once, so connections that open together need one each. */
const MOST_SESSIONS = 32;
/** The bytes of all. Each holds the certificates of its target and a ticket, which may be 64 KiB long. */
const MOST_BYTES = 8_388_608;
/** Larger ones are not kept, so that one target can't drive out the others. */
const LARGEST_BYTES = 16_384;

/** A session as `node:tls` gives and takes it. */
export interface TlsSession {
  readonly bytes: Buffer;
  /** When the certificate was checked, in Unix milliseconds. Sessions of a resumed connection take it over. */
  readonly checkedAt: number;
  /** True for TLS 1.2. The tickets of TLS 1.3 serve once, so that nobody on the way can link connections (RFC 8446 §C.4). */
  readonly servesAgain: boolean;
}

/** Sessions by the identity of a connection: all that decides whether its target is trusted. */
export class TlsSessions {
  /** The identity used last, and of each the newest session, are last. */
  readonly #kept = new Map<string, TlsSession[]>();
  #size = 0;

  /** Bytes of all sessions. */
  get size(): number {
    return this.#size;
  }

  /**
   * The newest session of an identity that may still be resumed.
   *
   * @param now in Unix milliseconds
   */
  take(identity: string, now: number = Date.now()): TlsSession | undefined {
    const sessions = this.#kept.get(identity);
    if (!sessions) return undefined;
    const usable = sessions.filter(({ checkedAt }) => now - checkedAt < TRUSTED_MS && now >= checkedAt);
    const session = usable.at(-1);
    if (session && !session.servesAgain) usable.pop();
    this.#set(identity, usable);
    return session;
  }

  /** Keeps a session for later connections of the same identity. */
  keep(identity: string, session: TlsSession): void {
    if (session.bytes.length > LARGEST_BYTES) return;
    const sessions = session.servesAgain ? [] : this.#kept.get(identity) ?? [];
    this.#set(identity, [...sessions, session].slice(-MOST_SESSIONS));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_TARGETS && this.#size <= MOST_BYTES) return;
      this.forget(oldest);
    }
  }

  /** Drops all sessions of an identity. */
  forget(identity: string): void {
    this.#set(identity, []);
  }

  #set(identity: string, sessions: TlsSession[]): void {
    this.#size += measure(sessions) - measure(this.#kept.get(identity) ?? []);
    this.#kept.delete(identity);
    if (sessions.length) this.#kept.set(identity, sessions);
  }
}

function measure(sessions: readonly TlsSession[]): number {
  return sessions.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
