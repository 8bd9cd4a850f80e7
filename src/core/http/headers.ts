/**
 * Classifies header fields: hop-by-hop, caller identity, the proxy's own.
 * @module
 */

import type { FieldReader } from "./fields.ts";
import { memoize } from "./memo.ts";

/**
 * Fields that end at the next hop.
 * @see RFC 9110 §7.6.1, §11.7 (`Proxy-*`), §10.1.1 (`Expect`, answered by the runtime), RFC 7540 §3.2.1
 * (`HTTP2-Settings`, obsolete since RFC 9113 §3.1)
 */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "http2-settings",
]);

/** Fields that `Connection` may not remove, because the target relies on them for safety (rule 4.1). */
const PROTECTED: ReadonlySet<string> = new Set(["authorization", "cookie", "host"]);

/** Fields that tell a target who the caller is. Only the proxy itself may set them. */
const CALLER_IDENTITY: ReadonlySet<string> = new Set([
  "forwarded",
  "forwarded-for",
  "x-forwarded",
  "x-forward-for",
  "x-original-forwarded-for",
  "x-proxyuser-ip",
  "x-akamai-edgescape",
]);
/** The same by how they begin, and what proxies call a client's address: `x-real-ip`, `true-client-ip`, `x-azure-clientip`. */
const CALLER_IDENTITY_PATTERN =
  /^(?:x-forwarded-|cf-|cloudfront-viewer-|x-envoy-|x-vercel-(?:forwarded-for|ip-)|(?:.+-)?(?:client-?|connecti(?:ng|on)-|originating-|real-|remote-|socket|src-|user-)(?:ip|addr)$)/;

/** The field by which the console proves itself. Browsers let no script set a field that begins with `Proxy-`. */
export const PROOF_FIELD = "x-fetchvia-ticket";
/** The field that names the viewer of captures, a tab of the console. */
export const VIEWER_FIELD = "x-fetchvia-viewer";

/** Fields that steer the proxy and never reach a target. */
const STEERING: ReadonlySet<string> = new Set([
  "proxy_host",
  "proxy_token",
  "proxy_headers",
  "proxy_seal",
  PROOF_FIELD,
  VIEWER_FIELD,
]);

/** The steering fields that step 3 reads, and their aliases. */
const WISH = /^proxy[_-](?:headers|seal)$/;

/** Response fields that contain one address (rule 4.14). */
export const ADDRESSES: ReadonlySet<string> = new Set([
  "location",
  "content-location",
  "refresh",
  "sourcemap",
  "x-sourcemap",
]);

/** The policy of the proxy's own pages. A target's page with the same one would keep a hold of them after it has left for one. */
export const OPENER_POLICY = "noopener-allow-popups";

/** Response fields that would affect the proxy's whole origin, and so every target (rule 4.18). */
const ORIGIN_BINDING: ReadonlySet<string> = new Set([
  "strict-transport-security",
  "clear-site-data",
  "public-key-pins",
  "public-key-pins-report-only",
  "service-worker-allowed",
  "use-as-dictionary",
  "set-login",
  "secure-session-registration",
  "accept-ch",
  "critical-ch",
  "avail-language",
  "origin-agent-cluster",
  "expect-ct",
  // Browsers would answer other addresses of the same path with this response: by `?url=` all targets, and the console.
  "no-vary-search",
  "cross-origin-opener-policy",
]);

/** Response fields that lead a browser past the proxy, even from a label. */
const ELSEWHERE: ReadonlySet<string> = new Set(["alt-svc", "nel", "report-to", "reporting-endpoints"]);
/** The field of a sealed response. A target that could send it would pass off its own response as sealed. */
export const HEAD_FIELD = "x-fetchvia-head";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Protocols of `Upgrade` that carry the same requests (RFC 9110 §7.8, RFC 7540 §3.2, RFC 2817). */
const HTTP_OR_TLS = /^(?:h2c?$|(?:http|tls)\/)/i;

/** True for a token: a method or a field name (RFC 9110 §5.6.2). */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** True for a field value that every runtime can send: no control bytes but tab, only Latin-1 (RFC 9110 §5.5). */
export function isFieldValue(text: string): boolean {
  return FIELD_VALUE.test(text);
}

/** The reason phrase; `""` for one that HTTP has no form for: it allows the characters of a field's value (RFC 9112 §4). */
export function cleanReason(phrase: string): string {
  return isFieldValue(phrase) ? phrase : "";
}

/** True for a field that ends at the next hop, `Proxy-*` included. Takes the lower-case name. */
export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.has(name) || name.startsWith("proxy-");
}

/** True for a field that says who the caller is. Takes the lower-case name; CGI equates `_` and `-` (RFC 3875 §4.1.18). */
export function isCallerIdentity(name: string): boolean {
  const hyphenated = name.replaceAll("_", "-");
  return CALLER_IDENTITY.has(hyphenated) || CALLER_IDENTITY_PATTERN.test(hyphenated);
}

/** True if a list of tokens contains this one (lower-case), in any case (RFC 9110 §5.6.1). */
export function hasToken(list: string | null, token: string): boolean {
  return list?.toLowerCase().split(",").some((entry) => entry.trim() === token) ?? false;
}

/** A length without leading zeros, which some parsers take for octal. */
export function dropZeros(length: string): string {
  return length.replace(/^0+(?=\d)/, "");
}

/** True for a request that asks for a WebSocket, and for a response that accepts one (RFC 6455 §4.1). */
export function isUpgrade(headers: FieldReader): boolean {
  return hasToken(headers.get("upgrade"), "websocket");
}

/**
 * The protocol that a request asks to switch to: `websocket` if it is one of several. `undefined` for none, without
 * `Connection: upgrade`, and for nothing but other versions of HTTP or TLS: clients that offer those continue without them.
 *
 * @see RFC 9110 §7.8
 */
export function readUpgrade(headers: Pick<FieldReader, "get">): string | undefined {
  const offered = headers.get("upgrade");
  if (offered === null) return undefined;
  if (hasToken(offered, "websocket")) return "websocket";
  if (!hasToken(headers.get("connection"), "upgrade")) return undefined;
  return offered.split(",").map((protocol) => protocol.trim()).find((protocol) =>
    protocol !== "" && !HTTP_OR_TLS.test(protocol)
  );
}

/** True if a browser opens the response in a window or a frame; then no script reads it. */
export function isNavigation(headers: FieldReader): boolean {
  return headers.get("sec-fetch-mode") === "navigate";
}

/** True if a browser opens the response in a window, not in a frame. */
export function isTopNavigation(headers: FieldReader): boolean {
  return isNavigation(headers) && headers.get("sec-fetch-dest") === "document";
}

/** True for an address that a browser's user typed, or opened from outside of it. */
export function isTyped(headers: FieldReader): boolean {
  return headers.get("sec-fetch-site") === "none" && isTopNavigation(headers);
}

/** True for a method that only looks. */
export function isLook(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** True for a field that steers the proxy. Takes the lower-case name; `proxy-host` and `proxy-token` are `Proxy-*`. */
export function isSteering(name: string): boolean {
  return STEERING.has(name);
}

/** True for a response field that would affect the proxy's whole origin, or its own pages. Takes the lower-case name. */
export function bindsOrigin(name: string): boolean {
  return ORIGIN_BINDING.has(name);
}

/** True for a field with which a caller asks to change fields or to seal the response. Takes the lower-case name. */
export function isWish(name: string): boolean {
  return WISH.test(name);
}

/** The fields that `Connection` names, lower-case, without those that it may not remove; `undefined` for none, as almost always. */
export function readNominated(connection: string | null): Set<string> | undefined {
  if (!connection || connection === "keep-alive" || connection === "close") return undefined;
  const names = connection.toLowerCase().split(",").map((name) => name.trim());
  const nominated = names.filter((name) => name && !PROTECTED.has(name) && !name.startsWith("content-"));
  return nominated.length ? new Set(nominated) : undefined;
}

/** What happens to a field: passed on, changed, or dropped. */
export type Fate = "pass" | "rewrite" | "drop";

/** Request fields that name the proxy instead of the target, or that have several spellings. */
const REQUEST_REWRITTEN: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "sec-fetch-site",
  "origin",
  "referer",
  "max-forwards",
  "content-length",
  "destination",
  "if",
]);

/** Response fields that name the target instead of the proxy, or apply only to the target's own origin. */
const RESPONSE_REWRITTEN: ReadonlySet<string> = new Set([
  "content-security-policy",
  ...ORIGIN_BINDING,
  "set-cookie",
  "www-authenticate",
  ...ADDRESSES,
  "link",
  "x-final-url",
  "content-length",
]);

/** What happens to a field of a forwarded request. Takes the lower-case name. */
export const requestFate: (name: string) => Fate = /* @__PURE__ */ memoize((name) => {
  if (WISH.test(name)) return "rewrite";
  if (isHopByHop(name) || isCallerIdentity(name) || isSteering(name)) return "drop";
  return REQUEST_REWRITTEN.has(name) ? "rewrite" : "pass";
});

/** What happens to a field of a response. Takes the lower-case name. */
export const responseFate: (name: string) => Fate = /* @__PURE__ */ memoize((name) => {
  if (isHopByHop(name) || ELSEWHERE.has(name) || name === HEAD_FIELD) return "drop";
  return RESPONSE_REWRITTEN.has(name) ? "rewrite" : "pass";
});
