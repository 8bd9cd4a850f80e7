/**
 * Reads the whole body of a request to one of the proxy's pages.
 * @module
 */

import { isStreaming, readWhole, watchBody } from "../http/body.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { checkUntouched } from "./request-body.ts";
import { checkLength, readFault, uploadStalled, uploadTooLarge } from "../http/upload-fault.ts";

/** Maximum bytes, unless the page sets a lower limit. */
export const MAX_POSTED_BYTES: number = 8 * 1024 * 1024;

/**
 * Reads a posted body whole, within the limits of uploads.
 *
 * @param mostBytes the most bytes that the page accepts
 * @throws {ProxyError} `request_too_large` beyond that or `maxRequestBytes`, `request_timeout`, `caller_gone`
 */
export async function readPosted(
  { incoming, config, deadlines }: Pick<Exchange, "incoming" | "config" | "deadlines">,
  mostBytes: number = MAX_POSTED_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = incoming;
  const { idleTimeoutMs, maxRequestBytes } = config;
  const maxBytes = Math.min(maxRequestBytes || mostBytes, mostBytes);
  checkLength(incoming.headers, maxBytes);
  if (!isStreaming(body)) {
    if (body && body.length > maxBytes) throw uploadTooLarge(maxBytes);
    return body ?? new Uint8Array();
  }
  checkUntouched(incoming);
  const watched = watchBody(body, {
    idle: deadlines.idle,
    maxBytes,
    stalled: () => uploadStalled(idleTimeoutMs),
    tooLarge: () => uploadTooLarge(maxBytes),
  });
  return await readWhole(watched).catch((failure) => {
    throw readFault(failure);
  });
}
