/**
 * Seals a response: the body as it is, and the whole head in a header that browsers ignore.
 *
 * A script cannot see `Set-Cookie` or a 3xx of a plain response, and the browser stores cookies, follows redirects and
 * asks for passwords by itself. In a sealed response there is nothing to act on.
 * @module
 */

import { encodeHead, type SealedHead } from "../address/sealed-head.ts";
import { Fields, linesOf } from "../http/fields.ts";
import { HEAD_FIELD } from "../http/headers.ts";
import type { Reply } from "../http/reply.ts";

/** Headers that a browser needs to read the body: without the content coding it would not decode the body. */
const BODY_FIELDS = ["content-encoding", "content-length"];

/**
 * Seals a response.
 *
 * @param status the status to send; the response's own status is in the sealed head
 * @param changed what the proxy changed, if the sealed head should say so
 */
export function sealReply(reply: Reply, status: number, changed?: SealedHead["changed"]): Reply {
  const { statusText = "", body } = reply;
  // Clients compare the names in a sealed head, so only the console, which shows them, gets their original case.
  const lines = changed ? linesOf(reply.headers) : [...reply.headers];
  const head = { status: reply.status, statusText, headers: lines, ...(changed && { changed }) };
  const headers = new Fields([
    ["content-type", "application/octet-stream"],
    ["content-security-policy", "sandbox; default-src 'none'"],
    ["cache-control", "no-store"],
    ["x-content-type-options", "nosniff"],
    [HEAD_FIELD, encodeHead(head)],
  ]);
  for (const name of body ? BODY_FIELDS : []) {
    const value = reply.headers.get(name);
    // Two different lines are joined into one value, which is not a number.
    if (value !== null && (name !== "content-length" || /^\d+$/.test(value))) headers.set(name, value);
  }
  return { status, headers, body, sealed: reply.status };
}
