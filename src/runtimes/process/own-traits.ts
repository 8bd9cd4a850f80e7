/**
 * Tells the wire what is true of Bun or Deno, and makes what they lend. The entry for Node does so too, because it runs on all three.
 * @module
 */

import type { Runtime, Send } from "../../core/runtime.ts";
import { describeRuntime, type RuntimeTraits } from "../../wire/runtime-traits.ts";
import { untilTurnEnd } from "../../wire/turn.ts";
import { lookUp } from "./look-up.ts";

const BUN: RuntimeTraits = {
  // BoringSSL requires neither strong keys and digests nor secure renegotiation (RFC 5746).
  hasOwnCiphers: true,
  // Bun (1.4) has one code for self-signed certificates and unknown authorities.
  hasVagueFaults: true,
};

const DENO: RuntimeTraits = {
  // While a `setImmediate` is pending, Deno (2.9) polls its sockets only about every 60 turns; with a timer, every turn.
  starvesSockets: true,
  // On Deno (2.9) a paused connection reads on, into unbounded memory, and may lose the end of the stream. If the first bytes
  // arrive together with the end, it reports only the end, even if the bytes were not TLS.
  readsWhilePaused: true,
  // Deno (2.9) keys sessions by the name and the way to verify it, and keeps none where an entry has its own authorities or
  // certificate. It verifies the name again.
  resumesByItself: true,
  hasOwnCiphers: true,
  // Deno (2.9) uses the code of unknown authorities also for certificates that are self-signed, expired or not yet valid.
  hasVagueFaults: true,
  refusesOldDigests: true,
};

/** What is true of the runtime with these versions. */
export function traitsOf({ bun, deno }: Readonly<Record<string, string | undefined>>): RuntimeTraits {
  return deno ? DENO : bun ? BUN : {};
}

describeRuntime(traitsOf(process.versions));

/** The capabilities that Bun, Deno and Node have in common, and the way in which this one sends. */
export function createRuntime(name: string, send: Send): Runtime {
  return { name, keepsTimers: true, untilTurnEnd, obeysRoute: true, resolve: lookUp, send };
}
