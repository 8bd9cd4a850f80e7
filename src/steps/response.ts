/**
 * Step 5: builds the response for the caller from the target's. Status and body bytes stay unchanged.
 * @module
 */

import { formatAddress } from "../address/address.ts";
import { markAnswer } from "../exchange/answer-marks.ts";
import { limitBody } from "../exchange/answer-body.ts";
import { changeAnswer } from "../exchange/gate/answer-rules.ts";
import { limitExchange } from "../exchange/gate/limits.ts";
import { discard } from "../http/body.ts";
import { readCookie } from "../http/cookies.ts";
import { readTrueHead, sealReply } from "../exchange/seal.ts";
import { isStrayChallenge } from "../exchange/credentials.ts";
import { ProxyError } from "../http/error.ts";
import type { Answer, Exchange, Prepared, Target } from "../exchange/exchange.ts";
import { type FieldReader, Fields } from "../http/fields.ts";
import { writeFormAnswer } from "../exchange/form-fields.ts";
import { NULL_BODY_STATUSES, type Reply } from "../http/reply.ts";
import { addVia } from "../http/forwarded.ts";
import { answerFate, bindsOrigin, isTopNavigation, readNominated } from "../http/headers.ts";
import { isNote, MAX_NOTES, readNotes } from "../http/cookie-jar.ts";
import { isSend } from "../address/reserved-paths.ts";
import { mapLinks } from "../address/link-field.ts";
import { type AddressMapping, mapLocation, mapRefresh } from "../address/location.ts";
import type { Selector } from "../address/selector.ts";
import { type CookieMapping, rewriteSetCookie } from "../http/set-cookie.ts";

/** The context for building the response. */
interface Building {
  request: Prepared;
  exchange: Exchange;
  target: Target;
}

/** Selectors under which the same address may lead to another target (RFC 9110 §12.5.5). */
const VARIED: ReadonlySet<Selector> = new Set<Selector>(["header", "cookie", "preset"]);
/** Fields that contain one address. */
const ADDRESSES: ReadonlySet<string> = new Set(["location", "content-location", "refresh"]);
/** The sandbox for a target's page on the proxy's own origin. */
const SANDBOX = "sandbox allow-scripts allow-forms allow-popups allow-downloads";

/**
 * Builds the response.
 *
 * @throws {ProxyError} `malformed_answer` for a status that no runtime can send, `answer_too_large` if the announced
 * length exceeds the limit
 */
export function buildResponse(
  answer: Answer,
  request: Prepared,
  exchange: Exchange,
  target: Target,
): Reply | Promise<Reply> {
  const { status, statusText, socket } = answer;
  if ((status < 200 && !socket) || status > 599) {
    discard(answer.body);
    throw new ProxyError(
      "malformed_answer",
      `Cannot forward the response: its status is ${String(status).padStart(3, "0")}, expected 200 to 599`,
    );
  }
  const known = exchange.table ? limitExchange(exchange, (answer.finalAddress ?? target).origin) : exchange;
  const building = { request, exchange: known, target };
  if (request.isSealed) return sealAnswer(answer, building);
  const headers = copyHeaders(answer, building);
  if (status === 204) headers.delete("content-length");
  // A 205 has no body (RFC 9110 §15.3.6).
  if (status === 205) headers.set("content-length", "0");
  if (answer.finalAddress) headers.set("x-final-url", formatAddress(answer.finalAddress));
  if (exchange.form) writeFormAnswer(headers, answer, exchange, target);
  const { via } = exchange.config;
  if (via) addVia(headers, via);
  const isWithBody = hasBody(status, building);
  if (!isWithBody) discard(answer.body);
  const body = isWithBody ? limitBody(answer, headers, known, target) : null;
  // The console shows what the target sent beside what became of it.
  const received = exchange.described && isSend(exchange.path)
    ? readTrueHead(answer, exchange, target.origin)
    : undefined;
  return markAnswer({ status, statusText, headers, body, socket, received }, exchange, target, request);
}

/** Nothing in a sealed response is for the browser, so nothing in its head is mapped, stored or marked. */
function sealAnswer(answer: Answer, building: Building): Reply {
  const { status, statusText = "", finalAddress } = answer;
  const { exchange, target } = building;
  const head = readTrueHead(answer, exchange, target.origin);
  head.delete("x-final-url");
  if (finalAddress) head.set("x-final-url", formatAddress(finalAddress));
  const body = hasBody(status, building) ? limitBody(answer, head, exchange, target) : null;
  if (body === null) discard(answer.body);
  return sealReply({ status, statusText, headers: head, body }, 200);
}

function hasBody(status: number, { request: { method } }: Building): boolean {
  return method !== "HEAD" && !NULL_BODY_STATUSES.has(status);
}

function copyHeaders(answer: Answer, building: Building): Fields {
  const { target, exchange } = building;
  const headers = new Fields();
  const nominated = readNominated(answer.headers.get("connection"));
  const isOwnOrigin = target.selector === "label";
  let cookies: CookieMapping | undefined;
  answer.headers.forEach((value, name) => {
    const fate = answerFate(name);
    if (fate === "drop" || nominated?.has(name)) return;
    if (fate === "pass") return headers.append(name, value);
    if (name === "set-cookie") {
      return appendCookie(headers, value, cookies ??= cookieMapping(answer, building));
    }
    const kept = rewriteField(name, value, answer, building);
    // A server that joins equal lines with a comma would change the address.
    const isRepeated = ADDRESSES.has(name) && headers.get(name) === kept;
    if (kept !== undefined && !isRepeated) headers.append(name, kept);
  });
  if (exchange.table) changeAnswer(headers, exchange.table, answer, target.origin);
  if (VARIED.has(target.selector)) headers.append("vary", varyOf(exchange.incoming.headers, target, answer));
  else if (!isOwnOrigin) isolate(headers, exchange);
  // A page must not leave in the cache what only its own fields brought about.
  if (building.request.isChanged) headers.append("vary", "proxy_headers, proxy-headers");
  return headers;
}

/** The selectors that choose the target of this address. `proxy-host` is added only if it was sent. */
function varyOf(headers: FieldReader, { selector }: Target, answer: Answer): string {
  const selectors = headers.has("proxy-host") ? "proxy_host, proxy-host, Cookie" : "proxy_host, Cookie";
  const isLed = selector === "cookie" && (answer.headers.has("location") || answer.headers.has("refresh"));
  return isLed ? `${selectors}, Sec-Fetch-Mode, Sec-Fetch-Dest` : selectors;
}

/**
 * Sandboxes a response to `url` or `arg`: it shares the proxy's origin, but must not get its rights. Any page may embed the
 * response to a signed link, whatever the target says of itself.
 */
function isolate(headers: Fields, { isSigned }: Exchange): void {
  if (isSigned) headers.set("cross-origin-resource-policy", "cross-origin");
  headers.append("content-security-policy", SANDBOX);
  headers.set("x-content-type-options", "nosniff");
  headers.append("referrer-policy", "no-referrer");
}

function rewriteField(
  name: string,
  value: string,
  answer: Answer,
  building: Building,
): string | undefined {
  switch (name) {
    case "www-authenticate":
      return isStrayChallenge(name, value, building.exchange, building.target) ? undefined : value;
    case "location":
      return mapLocation(value, addressMapping(answer, building));
    case "content-location":
      return mapLocation(value, { ...addressMapping(answer, building), isFollowed: false });
    case "refresh":
      return mapRefresh(value, addressMapping(answer, building));
    case "link":
      return mapLinks(value, addressMapping(answer, building));
    case "x-final-url":
      return building.target.selector === "url" || building.target.selector === "arg" ? undefined : value;
    case "content-length":
      // Two different lines are joined to one value, which is no number.
      return /^\d+$/.test(answer.headers.get(name) ?? "") ? value : undefined;
    default:
      return building.target.selector === "label" || !bindsOrigin(name) ? value : undefined;
  }
}

/** How the target's cookies are stored. `undefined` where a browser must not store them: they would go to another host. */
function cookieMapping({ finalAddress }: Answer, building: Building): CookieMapping | undefined {
  const { target, exchange: { caller, config, asker, path: arrived, incoming }, request } = building;
  const isHostSelector = target.selector !== "url" && target.selector !== "arg";
  const base = { secure: caller.isSecure, basePath: target.basePath, mountPath: config.mountPath };
  if (!caller.isBrowser) return { ...base, path: isHostSelector ? "map" : "widen" };
  const hasMoved = finalAddress !== undefined && finalAddress.origin.origin !== target.origin.origin;
  const { host, owner } = request.cookies;
  // The console only displays cookies, in a sealed response.
  if (asker === "console") return { ...base, path: "widen" };
  if (!host || hasMoved) return undefined;
  const basePath = isHostSelector ? target.basePath : host.path;
  const shown = incoming.headers.get("cookie");
  const jar = owner === undefined ? undefined : {
    owner,
    defaultPath: config.mountPath +
      directoryOf(isHostSelector ? arrived : target.path.slice(basePath.length)),
    room: MAX_NOTES - readNotes(shown).length,
    isShown: (name: string) => readCookie(shown, name).length > 0,
  };
  return { ...base, basePath, path: "map", jar, isDirect: !isHostSelector };
}

/** @see RFC 6265bis §5.1.4 */
function directoryOf(path: string): string {
  const [pathname = ""] = path.split("?", 1);
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf("/"))) || "/";
}

function appendCookie(headers: Fields, line: string, mapping: CookieMapping | undefined): void {
  if (!mapping) return;
  const lines = rewriteSetCookie(line, mapping);
  for (const kept of lines) headers.append("set-cookie", kept);
  if (mapping.jar && lines.some(isNote)) mapping.jar.room -= 1;
}

function addressMapping({ finalAddress }: Answer, { target, exchange }: Building): AddressMapping {
  const { caller, config, incoming: { headers } } = exchange;
  const { selector, basePath } = target;
  const { origin, path } = finalAddress ?? target;
  return {
    selector,
    origin,
    basePath,
    requestUrl: origin.origin + path,
    proxyOrigin: caller.origin,
    mountPath: config.mountPath,
    proxyDomain: config.proxyDomain,
    labels: config.proxyLabels,
    isFollowed: !headers.has("sec-fetch-mode") || isTopNavigation(headers),
  };
}
