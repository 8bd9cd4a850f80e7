/**
 * A sealed response for the console: status and body as the target sent them, header fields where no browser acts on
 * them.
 *
 * A script cannot see `Set-Cookie` or a 3xx of a plain response, and the browser stores cookies, follows redirects and
 * asks for passwords by itself. In a sealed response there is nothing to act on.
 * @module
 */

import { encodeArg } from "../../address/arg.ts";
import { Fields } from "../../http/fields.ts";
import type { Reply } from "../../http/reply.ts";

/** The field that holds the reason and all fields of the sealed answer, encoded as an `arg` is. */
export const HEAD_FIELD = "x-fetchvia-head";

/** What `HEAD_FIELD` holds. */
export interface SealedHead {
  statusText: string;
  /** Name and value; several `Set-Cookie` stay several. */
  headers: [name: string, value: string][];
}

/** Fields that a browser needs to read the body, including its content coding. */
const BODY_FIELDS = ["content-encoding", "content-length"];

/** Seals an answer; its body is handed on untouched. */
export function sealAnswer(answer: Reply): Reply {
  const { status, statusText = "", body } = answer;
  const head: SealedHead = { statusText, headers: [...answer.headers] };
  const headers = new Fields([
    ["content-type", "application/octet-stream"],
    ["content-security-policy", "sandbox; default-src 'none'"],
    ["cache-control", "no-store"],
    ["x-content-type-options", "nosniff"],
    [HEAD_FIELD, encodeArg(head)],
  ]);
  for (const name of BODY_FIELDS) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return { status, statusText, headers, body };
}
