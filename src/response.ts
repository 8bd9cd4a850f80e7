/**
 * Step 5: builds the answer for the caller from the target's: status, headers and body bytes as they came.
 * @module
 */

import { formatAddress } from "./address.ts";
import { ProxyError } from "./error.ts";
import { isHopByHop, readNominated } from "./headers.ts";
import type { Answer } from "./send.ts";
import type { Target } from "./target.ts";

/** What the answer is built from, beside the target's. */
export interface ResponseContext {
  method: string;
  target: Target;
}

const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Builds the answer. The body is handed on untouched.
 *
 * @throws {ProxyError} `malformed_answer` when the status is one that no runtime can send (outside 200–599)
 */
export function buildResponse(answer: Answer, context: ResponseContext): Response {
  const { status, statusText } = answer;
  if (status < 200 || status > 599) {
    throw new ProxyError("malformed_answer", `Cannot hand on the answer: its status is ${status}, expected 200 to 599`);
  }
  const hasBody = context.method !== "HEAD" && !NULL_BODY_STATUSES.has(status);
  const headers = copyHeaders(answer.headers);
  if (answer.finalAddress) headers.set("x-final-url", formatAddress(answer.finalAddress));
  return new Response(hasBody ? answer.body : null, { status, statusText, headers });
}

function copyHeaders(upstream: Headers): Headers {
  const headers = new Headers();
  const nominated = readNominated(upstream.get("connection"));
  for (const [name, value] of upstream) {
    if (!isHopByHop(name) && !nominated?.has(name)) headers.append(name, value);
  }
  const length = headers.get("content-length");
  if (length !== null && !/^\d+$/.test(length)) headers.delete("content-length");
  return headers;
}
