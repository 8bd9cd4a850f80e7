/**
 * The rules for fields of a request on its way from the caller to the target.
 * @module
 */

import { decodeArg } from "../../core/address/arg.ts";
import type { Capture } from "../../parts/capture/capture.ts";
import { isCallerIdentity, isHopByHop, isSteering, readNominated } from "../../core/http/headers.ts";
import { findField, findIn, hasField, type Lines } from "../page/format.ts";
import type { Change } from "./changes.ts";

/** Fields that ask an address form of another proxy for something. */
const OF_FORM = /^x-(?:cors-headers$|corsfix-|scalar-)/;
/** Fields that ask this proxy for something. */
const OF_PROXY = /^(?:x-fetchvia-.*|proxy[_-](?:host|token|headers|seal))$/;
const HANDSHAKE = /^(?:sec-websocket-(?:key|version)|upgrade|connection)$/;

/** A rule for both ways: the field ends at the next hop. */
export const HOP = "hop-by-hop: ends here (RFC 9110 §7.6.1)";
/** A rule for both ways: the field says how the body is framed. */
export const FRAMING = "frames the body: new on each hop (RFC 9112 §6)";

const REMOVED: Readonly<Record<string, string>> = {
  "expect": "hop-by-hop: the proxy answers it (RFC 9110 §10.1.1)",
  "cookie": "no cookie is left: they are the proxy's own, or another host's",
  "authorization":
    "withheld: a browser's password goes only to the host that asked for it, and a token of this proxy to none",
  "referer": "withheld: it shows an address of the proxy's own",
  "content-length": FRAMING,
};

const CHANGED: Readonly<Record<string, string>> = {
  "host": "Host names the target (RFC 9110 §7.2)",
  "cookie": "the target's own cookies, under the names that it gave them",
  "authorization": "set in place of the caller's own",
  "origin": "named the proxy's origin: names the target's",
  "referer": "named a page at the proxy: names it at the target",
  "destination": "named an address at the proxy: names it at the target (RFC 4918 §10.3)",
  "if": "named an address at the proxy: names it at the target (RFC 4918 §10.4)",
  "sec-fetch-site": "to a browser all labels are one site, but their hosts are not",
  "max-forwards": "one hop fewer (RFC 9110 §7.6.2)",
  "content-length": FRAMING,
  "user-agent": "some git servers answer browsers with pages, so a page's git client calls itself git",
  "cdn-loop": "ours is added: it ends loops of proxies (RFC 8586)",
  "via": "ours is added: VIA names this hop (RFC 9110 §7.6.3)",
  "sec-websocket-key": "a key for the target's side (RFC 6455 §4.1)",
  "sec-websocket-extensions": "each side agrees on extensions of its own (RFC 6455 §9.1)",
};

const ADDED: Readonly<Record<string, string>> = {
  "host": CHANGED["host"] as string,
  "cdn-loop": "ours: ends loops of proxies (RFC 8586)",
  "via": "ours: VIA names this hop (RFC 9110 §7.6.3)",
  "content-length": FRAMING,
  "transfer-encoding": FRAMING,
  "authorization": "from user and password in the address, or a key of the table",
  "cookie": "sent under another name, which a page may set",
  "date": "sent under another name, which a page may set",
  "dnt": "sent under another name, which a page may set",
  "referer": "sent under another name, which a page may set",
  "user-agent": "sent under another name, or the default of an arg without one",
  "content-type": "the body of the arg is JSON",
};

/** The rule for a field; `undefined` if none is known. */
export function explainRequestField(change: Change, capture: Capture): string | undefined {
  const { name, state } = change;
  const { headers } = capture.request;
  if (isOverridden(name, capture)) return "proxy_headers asks for it";
  if (capture.selector === "arg") return explainDescribed(change);
  if (isCallerIdentity(name)) {
    return state === "removed"
      ? "tells who the caller is: only the proxy may (FORWARD_CLIENT)"
      : "ours: FORWARD_CLIENT tells the target of the caller";
  }
  if (state !== "removed" && HANDSHAKE.test(name)) {
    return name === "connection" && !isUpgrade(capture)
      ? HOP
      : "asks the target for a WebSocket (RFC 6455 §4.1)";
  }
  if (state === "changed") return explainJoined(change, headers) ?? findIn(CHANGED, name);
  if (state === "added") return findIn(ADDED, name) ?? (isHopByHop(name) ? HOP : undefined);
  if (OF_PROXY.test(name) || isSteering(name)) return "for the proxy: no target gets it";
  if (OF_FORM.test(name)) return "asks the proxy, in the form of another one: no target gets it";
  const removed = findIn(REMOVED, name);
  if (removed !== undefined) return removed;
  if (isHopByHop(name)) return HOP;
  if (name.startsWith("sec-websocket-")) return CHANGED["sec-websocket-extensions"];
  return explainNominated(name, headers);
}

/** The rule for a field that `Connection` names; `undefined` for any other. */
export function explainNominated(name: string, headers: Lines = []): string | undefined {
  const isNamed = readNominated(findField(headers, "connection") ?? null)?.has(name);
  return isNamed ? "Connection names it: ends here (RFC 9110 §7.6.1)" : undefined;
}

/** An `arg` describes the whole request, so nothing of the caller's own goes out. */
function explainDescribed({ name, state }: Change): string {
  if (name === "host") return CHANGED["host"] as string;
  if (name === "cdn-loop" || name === "via") return ADDED[name] as string;
  if (state === "removed") return "the arg describes all fields: the caller's own end here";
  if (name === "content-length" || name === "transfer-encoding") return FRAMING;
  return state === "added" ? "from the arg" : "the arg's own, in place of the caller's";
}

/** Some servers join lines of one name. That changes nothing but the look. */
function explainJoined({ name, after }: Change, headers: Capture["request"]["headers"]): string | undefined {
  const values = headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
  return values.length > 1 && values.join(", ") === after?.[1]
    ? "several lines are joined (RFC 9110 §5.3)"
    : undefined;
}

function isUpgrade({ request, messages }: Capture): boolean {
  return messages !== undefined || hasField(request.headers, "upgrade");
}

/** True if the caller's `proxy_headers` names the field. Masked ones tell nothing. */
function isOverridden(name: string, { request: { headers } }: Capture): boolean {
  const [, value = ""] = headers.find(([other]) => /^proxy[_-]headers$/i.test(other)) ?? [];
  const names = Object.keys(decodeArg(value) ?? {}).map((key) => key.toLowerCase());
  return names.some((key) => key === name || (key.endsWith("*") && name.startsWith(key.slice(0, -1))));
}
