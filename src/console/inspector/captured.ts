/**
 * Reads parts of a captured request.
 * @module
 */

import { decodeBase64 } from "../../core/address/arg.ts";
import type {
  Capture,
  CapturedBody,
  CapturedRequest,
  CapturedResponse,
} from "../../parts/capture/capture.ts";
import { MASK } from "../../parts/capture/masker.ts";

/** True for text in which a secret is masked. */
export function isMasked(text: string): boolean {
  return MASK.test(text);
}

/** The bytes of a body that are kept. */
export function readBytes(body: CapturedBody | undefined): Uint8Array<ArrayBuffer> {
  return decodeBase64(body?.base64 ?? "") ?? new Uint8Array();
}

/** The request as the target had it; where none went out, as the caller sent it. */
export function requestOf({ hops, request }: Pick<Capture, "hops" | "request">): CapturedRequest {
  return hops[0]?.request ?? request;
}

/** The last response of a target; where there was none, the proxy's. */
export function responseOf(
  { hops, response }: Pick<Capture, "hops" | "response">,
): CapturedResponse | undefined {
  return hops.at(-1)?.response ?? response;
}
