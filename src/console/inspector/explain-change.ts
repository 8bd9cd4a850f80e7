/**
 * Says by which rule of the proxy a header field changed.
 *
 * The sentences follow the tables that the proxy itself uses. `test/console/inspector/explain-change.test.ts`
 * lists every field that a step can touch.
 * @module
 */

import type { Capture, CapturedHop } from "../../parts/capture/capture.ts";
import type { Change } from "./changes.ts";
import { explainAnswerField } from "./explain-answer.ts";
import { explainRequestField } from "./explain-request.ts";

/** Said where no rule is known. */
export const UNKNOWN = "changed by the proxy";

const BODY_FIELD = /^(?:content-.*|transfer-encoding)$/;

/** Said of what stands behind a body and goes no further. */
const NOT_BEHIND = "nobody takes it behind a body there (RFC 9110 §6.5)";

/**
 * Which heads are compared: `request` from the caller to the target, `redirect` from one hop to the next, `answer` from
 * the target to the caller. `trailers` are those of either side.
 */
export type Side = "request" | "redirect" | "answer" | "trailers";

/** The rule that made a change, as a sentence without a full stop; `""` if nothing changed. */
export function explainChange(side: Side, change: Change, capture: Capture, hop: CapturedHop): string {
  const { state, before, after } = change;
  if (state === "same") return "";
  if (side === "trailers") return state === "removed" ? NOT_BEHIND : UNKNOWN;
  const rule = side === "request"
    ? explainRequestField(change, capture)
    : side === "redirect"
    ? explainRedirectField(change)
    : explainAnswerField(change, capture, hop);
  if (rule !== undefined) return rule;
  if (state === "changed" && before?.[1].trim() === after?.[1]) {
    return "blanks around a value mean nothing (RFC 9110 §5.5)";
  }
  return UNKNOWN;
}

/** The rule for a field of a request that follows a redirect (Fetch §4.4); `undefined` if none is known. */
function explainRedirectField({ name, state }: Change): string | undefined {
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
