/**
 * Proves to the proxy that the console sends a request, not a target's page on the same origin.
 * @module
 */

import { PROOF_FIELD, VIEWER_FIELD } from "../../core/http/headers.ts";
import { readViewer } from "./tab-id.ts";

/** The request fields with the proof; none if the page has none. */
export function showProof(proof: string | null): Record<string, string> {
  return proof === null ? {} : { [PROOF_FIELD]: proof };
}

/** The fields of a request for captures, or of one whose secrets this page may see: also who looks. */
export function captureFields(ticket: string | null): Record<string, string> {
  return { ...showProof(ticket), [VIEWER_FIELD]: readViewer() };
}
