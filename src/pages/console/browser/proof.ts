/**
 * How the console shows the proxy that it is the console, and not a page of a target on the same origin.
 * @module
 */

/** The field in which the proxy looks (`PROOF_FIELD`). */
const FIELD = "x-fetchvia-ticket";

/** The fields of a request that show it; none where the page was given nothing. */
export function showProof(proof: string | null): Record<string, string> {
  return proof === null ? {} : { [FIELD]: proof };
}
