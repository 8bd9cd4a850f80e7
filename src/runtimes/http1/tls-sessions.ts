/**
 * TLS sessions that later connections to the same target resume: half the handshake, and no certificate (RFC 8446 §2.2,
 * RFC 5077).
 * @module
 */

/**
 * How long after a certificate was checked its sessions may be resumed, in milliseconds. Nobody checks it again on
 * resumption, and Node doesn't even compare the name.
 */
const TRUSTED_MS = 600_000;
/** Targets with sessions; the one that was used longest ago goes first. */
const MOST_TARGETS = 256;
/** Sessions of one target: each is used once, so connections that open together need one each. */
const MOST_SESSIONS = 8;
/** Larger ones are not kept. The certificates of the target are in it, and its ticket, which it may make as long as 64 KiB. */
const MOST_BYTES = 8_192;

/** A session as `node:tls` gives and takes it. */
export interface TlsSession {
  readonly bytes: Uint8Array;
  /** When the certificate was checked, in Unix milliseconds. Sessions of a resumed connection take it over. */
  readonly checkedAt: number;
  /** True for TLS 1.2. The tickets of TLS 1.3 serve once, so that nobody on the way can link connections (RFC 8446 §C.4). */
  readonly servesAgain: boolean;
}

/** Sessions by the identity of a connection: all that decides whether its target is trusted. */
export class TlsSessions {
  /** The newest session is last. */
  readonly #kept = new Map<string, TlsSession[]>();

  /**
   * The newest session of an identity that can still be resumed.
   *
   * @param now in Unix milliseconds
   */
  take(identity: string, now: number = Date.now()): TlsSession | undefined {
    const kept = this.#kept.get(identity);
    if (!kept) return undefined;
    this.#kept.delete(identity);
    const usable = kept.filter(({ checkedAt }) => now - checkedAt < TRUSTED_MS && now >= checkedAt);
    const session = usable.at(-1);
    if (session && !session.servesAgain) usable.pop();
    if (usable.length) this.#kept.set(identity, usable);
    return session;
  }

  /** Keeps a session for later connections of the same identity. */
  keep(identity: string, session: TlsSession): void {
    if (session.bytes.length > MOST_BYTES) return;
    const kept = session.servesAgain ? [] : this.#kept.get(identity) ?? [];
    kept.push(session);
    if (kept.length > MOST_SESSIONS) kept.shift();
    this.#kept.delete(identity);
    this.#kept.set(identity, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_TARGETS && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Drops all sessions of an identity. */
  forget(identity: string): void {
    this.#kept.delete(identity);
  }
}
