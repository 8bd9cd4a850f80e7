/**
 * The rules for fields of a response on its way from the target to the caller.
 * @module
 */

import type { Capture, CapturedHop, CapturedRequest } from "../../parts/capture/capture.ts";
import { ADDRESSES, bindsOrigin, HEAD_FIELD, isHopByHop, responseFate } from "../../core/http/headers.ts";
import { findIn, hasField } from "../page/format.ts";
import type { Change } from "./changes.ts";
import { explainNominated, FRAMING, HOP } from "./explain-request.ts";
import { CARRIER } from "../../core/http/cookies.ts";
import { findWithheld, readSetCookie, type SetCookie } from "../../parts/console/cookie-list.ts";

/** Fields that shared caches obey in place of `Cache-Control`. */
const TARGETED = /^(?:(?:.+-)?cdn-cache-control|surrogate-control|edge-control|x-accel-expires)$/;
/** Fields that a runtime's server writes for the caller's connection. */
const OF_SERVER = /^(?:connection|keep-alive|date|transfer-encoding|upgrade)$/;
const MAPPED = "led to the target: leads there by the proxy";

const ofAddresses = (text: string) => Object.fromEntries([...ADDRESSES].map((name) => [name, text]));

const REMOVED: Readonly<Record<string, string>> = {
  "www-authenticate": "withheld: the browser would ask for a password that could go to any host",
  "x-final-url": "only the proxy says where redirects ended",
  "content-length": FRAMING,
  ...ofAddresses("leads to the same place as the line before"),
};

const CHANGED: Readonly<Record<string, string>> = {
  ...ofAddresses(MAPPED),
  "link": MAPPED,
  "content-length": FRAMING,
  "cache-control": "ours: no shared cache may keep what a key or an unsafe method brought",
  "x-final-url": "ours: where the redirects ended",
  "vary": "ours is added: these fields choose the target",
  "via": "ours is added: VIA names this hop (RFC 9110 §7.6.3)",
  "content-security-policy": "ours: sandbox for a target's page on the proxy's origin",
  "x-content-type-options": "ours: no guessing of types on the proxy's origin",
  "referrer-policy": "ours: a target's page on the proxy's origin tells nobody its address",
  "cross-origin-resource-policy": "ours: any page may embed what a signed link leads to",
  "sec-websocket-accept": "answers the caller's own key (RFC 6455 §4.2.2)",
  "sec-websocket-extensions": "each side agrees on extensions of its own (RFC 6455 §9.1)",
};

const ADDED: Readonly<Record<string, string>> = {
  ...CHANGED,
  "via": "ours: VIA names this hop (RFC 9110 §7.6.3)",
  "x-request-url": "ours: the address that was asked for, as clients of this form read it",
  "cors-received-headers": "ours: all fields of the target, as clients of this form read them",
  "x-request-id": "ours: leads to the line of the log",
  "proxy-status": "ours: the proxy answered, and why (RFC 9209)",
  "retry-after": "ours: when to try again",
  "allow": "ours: the methods that are possible here",
  "content-type": "ours: the type of the proxy's own response",
  "sec-websocket-protocol": "the server of this runtime needs it",
  [HEAD_FIELD]: "ours: the sealed headers, which browsers do not act on",
};

/** The rule for a field; `undefined` if none is known. */
export function explainAnswerField(change: Change, capture: Capture, hop: CapturedHop): string | undefined {
  const { name, state } = change;
  const { response } = capture;
  const isSealed = hasField(response?.headers ?? [], HEAD_FIELD);
  if (isSealed && name !== HEAD_FIELD && state !== "added") {
    return "stands in the sealed headers, which browsers do not act on";
  }
  if (isSealed && state === "added" && name !== HEAD_FIELD) {
    return OF_SERVER.test(name) ? FRAMING : "ours: keeps a sealed response from being shown or stored";
  }
  if (name === "set-cookie") return explainSetCookie(change, hop.request);
  if (name === "vary") return explainVary(change);
  if (isUpgraded(change.before) && !isUpgraded(change.after)) {
    return "without upgrade-insecure-requests, because the caller came over http";
  }
  if (name.startsWith("access-control-")) return explainCors(change);
  if (state !== "removed") {
    if (name === "cache-control" && hop.request.method === "GET") {
      return "ours: a shared cache must not keep what a key opened";
    }
    return findIn(state === "added" ? ADDED : CHANGED, name) ??
      (OF_SERVER.test(name) ? "for the caller's connection only" : undefined);
  }
  return explainRemoved(name, hop);
}

function explainRemoved(name: string, { response }: CapturedHop): string | undefined {
  if (name === HEAD_FIELD) return "withheld: it would pass for a sealed response of the proxy";
  if (bindsOrigin(name)) return "withheld: it would bind the proxy's origin, and so all targets";
  if (isHopByHop(name)) return HOP;
  if (responseFate(name) === "drop") return "withheld: it would lead a browser past the proxy";
  if (TARGETED.test(name)) return "withheld: a shared cache must not keep what a key opened (RFC 9213)";
  const removed = findIn(REMOVED, name);
  return removed ?? explainNominated(name, response?.headers);
}

function explainVary({ state, after }: Change): string | undefined {
  const value = after?.[1].toLowerCase() ?? "";
  if (state === "removed") return undefined;
  if (value.includes("proxy_headers")) return "ours: proxy_headers changed the request";
  if (value === "origin") return "ours: another origin gets other CORS fields";
  if (value.includes("proxy_host") || value.includes("cookie")) return CHANGED["vary"];
  if (value.includes("access-control-")) {
    return "ours: the response to a preflight depends on what it asks for";
  }
  return "ours is added: who asks decides the response";
}

function isUpgraded([, value] = ["", ""] as Change["after"] & object): boolean {
  return /upgrade-insecure-requests/i.test(value);
}

function explainCors({ state }: Change): string {
  if (state === "removed") return "CORS_ORIGINS decides who may read, not the target";
  return "ours: CORS_ORIGINS lets this origin read the response";
}

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
