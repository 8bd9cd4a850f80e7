/**
 * Whether the caller's cookies would go to the target, and why.
 * @module
 */

import { judgeCookies } from "../../core/may/cookie-rights.ts";
import { type Exchange, requestOf, type Target } from "../../core/exchange/exchange.ts";
import { dropOwnCookies } from "../../core/http/cookies.ts";

/** The judgement on cookies. */
export interface ToldCookies {
  sent: boolean;
  why: string;
}

/** Tells what happens to the cookies of a request. */
export function tellCookies(exchange: Exchange, target: Target | undefined, isAllowed: boolean): ToldCookies {
  if (!target || !isAllowed) return keep("Nothing goes out");
  const shown = requestOf(exchange).headers.get("cookie");
  if (target.selector === "arg") {
    return shown === null
      ? keep("An arg has only the fields that it describes")
      : { sent: true, why: "The arg describes them" };
  }
  if (shown === null || dropOwnCookies(shown) === "") return keep("The request has none but the proxy's own");
  const { host, sendsCookies, isCrossing } = judgeCookies(exchange, target);
  if (sendsCookies) {
    return { sent: true, why: host ? "They belong to this host" : "The caller keeps its own cookies" };
  }
  return keep(
    host && isCrossing ? "A page of another label asks" : "They belong to another host than this one",
  );
}

function keep(why: string): ToldCookies {
  return { sent: false, why };
}
