/**
 * Proves to the proxy that the console sends a request, not a target's page on the same origin.
 * @module
 */

import { VIEWER_FIELD } from "../../parts/capture/viewer.ts";
import { readViewer } from "./tab-id.ts";

/** The field that the proxy reads. */
const PROOF_FIELD = "x-fetchvia-ticket";

/** The request fields with the proof; none if the page has none. */
export function showProof(proof: string | null): Record<string, string> {
  return proof === null ? {} : { [PROOF_FIELD]: proof };
}

/** The fields of a request for captures, or of one whose secrets this page may see: also who looks. */
export function captureFields(ticket: string | null): Record<string, string> {
  return { ...showProof(ticket), [VIEWER_FIELD]: readViewer() };
}
