/**
 * The rules for fields of a response on its way from the target to the caller.
 * @module
 */

import type { Capture, CapturedHop } from "../../parts/capture/capture.ts";
import { ADDRESSES, answerFate, bindsOrigin, HEAD_FIELD, isHopByHop } from "../../core/http/headers.ts";
import { hasField } from "../page/find-field.ts";
import { findIn } from "../page/format.ts";
import type { Change } from "./changes.ts";
import { explainNominated, FRAMING, HOP } from "./explain-request.ts";
import { explainSetCookie } from "./explain-set-cookie.ts";

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
  if (bindsOrigin(name)) return "withheld: it would bind the proxy's whole origin, and so every target";
  if (isHopByHop(name)) return HOP;
  if (answerFate(name) === "drop") return "withheld: it would lead a browser past the proxy";
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
