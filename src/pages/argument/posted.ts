/**
 * A body that a page of the proxy reads whole.
 * @module
 */

import { isStreaming, readWhole, watchBody } from "../../http/body.ts";
import type { Config } from "../../settings/config.ts";
import type { Deadlines } from "../../http/deadlines.ts";
import { checkUntouched } from "../../exchange/request-body.ts";
import type { Incoming } from "../../exchange/runtime.ts";
import { checkLength, readFault, uploadStalled, uploadTooLarge } from "../../http/upload.ts";

/** Maximum size of a posted argument: an address, a few fields and a body. */
export const MAX_POSTED_BYTES: number = 8 * 1024 * 1024;

/**
 * Reads a posted body whole, within the limits of uploads.
 *
 * @throws {ProxyError} `request_too_large` beyond `MAX_POSTED_BYTES` or `maxRequestBytes`, `request_timeout`, `caller_gone`
 */
export async function readPosted(
  incoming: Incoming,
  config: Config,
  idle: Deadlines,
): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = incoming;
  const { idleTimeoutMs, maxRequestBytes } = config;
  const maxBytes = Math.min(maxRequestBytes || MAX_POSTED_BYTES, MAX_POSTED_BYTES);
  checkLength(incoming.headers, maxBytes);
  if (!isStreaming(body)) {
    if (body && body.length > maxBytes) throw uploadTooLarge(maxBytes);
    return body ?? new Uint8Array();
  }
  checkUntouched(incoming);
  const watched = watchBody(body, {
    idle,
    maxBytes,
    stalled: () => uploadStalled(idleTimeoutMs),
    tooLarge: () => uploadTooLarge(maxBytes),
  });
  return await readWhole(watched).catch((failure) => {
    throw readFault(failure);
  });
}
