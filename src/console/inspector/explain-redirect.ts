/**
 * The rules for fields of a request that follows a redirect.
 * @module
 * @see Fetch §4.4 (HTTP-redirect fetch)
 */

import type { Change } from "./changes.ts";

const BODY_FIELD = /^(?:content-.*|transfer-encoding)$/;

/** The rule for a field; `undefined` if none is known. */
export function explainRedirectField({ name, state }: Change): string | undefined {
  if (name === "host") return "Host names the next target (RFC 9110 §7.2)";
  if (BODY_FIELD.test(name)) return "a redirect to a GET has no body (RFC 9110 §15.4)";
  if (name === "authorization" || name === "cookie" || name === "cookie2") {
    return state === "added"
      ? "set for this target by the table"
      : "withheld: the redirect leads to another origin";
  }
  if (name === "origin" || name === "referer") return "the redirect leads to another origin";
  return undefined;
}
