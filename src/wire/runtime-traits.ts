/**
 * What is true of the runtime that the wire runs on: where its `node:` modules do otherwise than Node's own.
 * @module
 */

/** The facts that the wire needs. All of them are absent for Node. */
export interface RuntimeTraits {
  /** True if sockets are rarely read while a `setImmediate` is pending. */
  readonly starvesSockets?: boolean;
  /** True if a paused TLS connection reads on, and if one that ends within its handshake does not fail. */
  readonly readsWhilePaused?: boolean;
  /** True if TLS sessions are resumed by the runtime itself, which neither takes nor gives them. */
  readonly resumesByItself?: boolean;
  /** True if TLS has its own order of ciphers, and requires nothing more of old versions. */
  readonly hasOwnCiphers?: boolean;
  /** True if one code stands for several faults of a certificate. */
  readonly hasVagueFaults?: boolean;
  /** True if no setting makes TLS accept certificates that are signed with SHA-1. */
  readonly refusesOldDigests?: boolean;
}

/** The facts of this runtime. */
export const traits: RuntimeTraits = {};

/** Says what is true of this runtime; before the first connection. */
export function describeRuntime(own: RuntimeTraits): void {
  Object.assign(traits, own);
}
