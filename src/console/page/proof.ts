/**
 * Proves to the proxy that the console sends a request, not a target's page on the same origin.
 * @module
 */

/** The field that the proxy reads (`PROOF_FIELD`). */
const FIELD = "x-fetchvia-ticket";

/** The request fields with the proof; none if the page has none. */
export function showProof(proof: string | null): Record<string, string> {
  return proof === null ? {} : { [FIELD]: proof };
}
