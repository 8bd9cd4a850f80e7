/**
 * A sealed response for the console: status and body as the target sent them, its header fields where browsers ignore
 * them.
 *
 * A script cannot see `Set-Cookie` or a 3xx of a plain response, and the browser stores cookies, follows redirects and
 * asks for passwords by itself. In a sealed response there is nothing to act on.
 * @module
 */

import { encodeArg } from "../../address/arg.ts";
import { Fields } from "../../http/fields.ts";
import type { Reply } from "../../http/reply.ts";

/** The field with the reason phrase and all fields of the sealed response, encoded like an `arg`. */
export const HEAD_FIELD = "x-fetchvia-head";

/** The content of `HEAD_FIELD`. */
export interface SealedHead {
  statusText: string;
  /** Name and value; several `Set-Cookie` lines stay separate. */
  headers: [name: string, value: string][];
}

/** Fields that a browser needs to read the body, including its content coding. */
const BODY_FIELDS = ["content-encoding", "content-length"];

/** Seals a response; its body stays unchanged. */
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
