/**
 * Says what the proxy did to a cookie of the target.
 * @module
 */

import type { CapturedRequest } from "../../parts/capture/capture.ts";
import { CARRIER } from "../../core/http/cookies.ts";
import { findWithheld, readSetCookie, type SetCookie } from "../../parts/console/cookie-list.ts";
import type { Change } from "./changes.ts";

/** Cookies of the proxy's own, and what they are for. */
const OWN: readonly (readonly [name: RegExp, rule: string])[] = [
  [/^proxy_set_/, "ours: notes the cookie under another path, so that a change of host can end it"],
  [/^proxy_auth$/, "ours: notes which host asked for a password"],
  [/^proxy_back$/, "ours: allows the way back to a private host"],
  [/^proxy_(?:host|seal|page)$/, "ours: the host that the browser chose"],
  [/^proxy_token$/, "ours: the browser is signed in"],
];

/** The rule for a `Set-Cookie` line of the response to a request. */
export function explainSetCookie({ state, before, after }: Change, request: CapturedRequest): string {
  if (state === "removed") {
    const fault = findWithheld(before?.[1] ?? "", request);
    if (fault !== undefined) return `withheld: browsers refuse it from the target too, because ${fault}`;
    return "withheld: it would set a cookie of the proxy's own, or the browser would send it to another host";
  }
  const now = readSetCookie(after?.[1] ?? "");
  if (state === "added") return explainAdded(now);
  const parts = compare(readSetCookie(before?.[1] ?? ""), now);
  return `made for the proxy's origin${parts.length > 0 ? `: ${parts.join("; ")}` : ""}`;
}

function explainAdded({ name, maxAge }: SetCookie): string {
  const own = OWN.find(([pattern]) => pattern.test(name));
  if (own) return own[1];
  return maxAge === "0"
    ? "ours: ends the same cookie in its other place"
    : "ours: one of the proxy's own cookies";
}

function compare(before: SetCookie, now: SetCookie): string[] {
  const parts = [
    before.domain !== undefined && now.domain === undefined && "without Domain",
    before.path !== now.path && `Path is mapped to ${now.path ?? "the default"}`,
    before.secure && !now.secure && "without Secure and its kin, because the caller came over http",
    before.sameSite !== now.sameSite &&
    `SameSite is ${now.sameSite}, because browsers refuse ${before.sameSite} over http`,
    before.name !== now.name && nameRule(now.name),
    before.value !== now.value && before.name === now.name && "with another value",
  ];
  return parts.filter((part) => typeof part === "string");
}

function nameRule(name: string): string {
  return name.includes(CARRIER)
    ? "under a name that browsers accept here"
    : "under a name with its host, because all hosts share one jar";
}
