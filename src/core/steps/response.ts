/**
 * Step 5: builds the response for the caller from the target's. Status and body bytes stay unchanged.
 * @module
 */

import { type Address, formatAddress, isByHost, type Selector } from "../address/address.ts";
import { appendCookie, type Building, cookieMapping, mapAddresses } from "../way/response-mapping.ts";
import { announceResponseTrailers, limitBody, passResponseTrailers } from "../way/response-body.ts";
import { keepFields, recallFields } from "../way/kept-response.ts";
import { changeResponse, limitExchange } from "../exchange/hooks.ts";
import { discard } from "../http/body.ts";
import { hasNews, isStrayChallenge, noteCredentials } from "../may/credentials.ts";
import { ProxyError } from "../http/error.ts";
import type { Dress, Exchange, Prepared, Target, TargetResponse } from "../exchange/exchange.ts";
import { type Interim, MOST_INTERIMS } from "../interim.ts";
import { type FieldReader, Fields } from "../http/fields.ts";
import { NULL_BODY_STATUSES, type Reply } from "../http/reply.ts";
import { addVia } from "../http/forwarded.ts";
import {
  ADDRESSES,
  bindsOrigin,
  dropZeros,
  OPENER_POLICY,
  readNominated,
  responseFate,
} from "../http/headers.ts";
import { isTold } from "../may/private-targets.ts";
import { readTrueHead, readTrueResponse } from "../way/true-head.ts";
import { withoutUpgrade } from "../http/content-policy.ts";
import { isPageAt } from "../address/reserved-paths.ts";
import { hasHostLink, markHostLinks, mayBeLed } from "../may/host-cookie.ts";

/** Selectors under which the same address may lead to another target (RFC 9110 §12.5.5). */
const VARIED: ReadonlySet<Selector> = new Set<Selector>(["header", "cookie", "preset"]);
/** The sandbox for a target's page on the proxy's own origin. */
const SANDBOX = "sandbox allow-scripts allow-forms allow-popups allow-downloads";

/**
 * Builds the response, synchronously unless something must be marked.
 *
 * @throws {ProxyError} `malformed_answer` for a status that no runtime can send, `answer_too_large` if the announced
 * length exceeds the limit
 */
export function buildResponse(
  response: TargetResponse,
  request: Prepared,
  exchange: Exchange,
  target: Target,
): Reply | Promise<Reply> {
  const { status, statusText, socket } = response;
  if (!(status >= 200 || socket) || status > 599) {
    discard(response.body);
    throw new ProxyError(
      "malformed_answer",
      `Cannot forward the response: its status is ${String(status).padStart(3, "0")}, expected 200 to 599`,
    );
  }
  const known = limitExchange(exchange, (response.finalAddress ?? target).origin);
  const building = { request, exchange: known, target };
  const isWithBody = hasBody(status, building);
  if (!isWithBody) discard(response.body);
  const { wishes } = request;
  if (wishes?.isSealed) return wishes.seal(readTrueResponse(response, known, target, isWithBody));
  if (isWithBody) passResponseTrailers(response, exchange, target.origin);
  const vary = varyOf(exchange.incoming.headers, target, response);
  const headers = recallFields(response, building, vary) ?? buildHeaders(response, building, vary);
  const body = isWithBody ? limitBody(response, headers, known, target) : null;
  // The console shows the head that the target sent next to the head that the caller gets.
  const received = isShown(exchange) ? readTrueHead(response, exchange, target.origin) : undefined;
  return markResponse({ status, statusText, headers, body, socket, received }, exchange, target, request);
}

/** True if the console shows the response: it is sealed in the end. */
function isShown({ described, path }: Exchange): boolean {
  return described !== undefined && isPageAt(path, "send");
}

function hasBody(status: number, { request: { method } }: Building): boolean {
  return method !== "HEAD" && !NULL_BODY_STATUSES.has(status);
}

function buildHeaders(response: TargetResponse, building: Building, vary: string | undefined): Fields {
  const { status, finalAddress } = response;
  const { exchange, target } = building;
  const headers = copyHeaders(response, building, vary);
  if (status === 204) headers.delete("content-length");
  // A 205 has no body (RFC 9110 §15.3.6).
  if (status === 205) headers.set("content-length", "0");
  if (finalAddress) headers.set("x-final-url", formatAddress(finalAddress));
  exchange.form?.writeResponse(headers, {
    incoming: exchange.incoming,
    named: target,
    final: finalAddress ?? target,
    readHead: () => readTrueHead(response, exchange, target.origin),
  });
  const { via } = exchange.config;
  if (via) addVia(headers, via);
  return keepFields(headers, response, building, vary);
}

/**
 * Passes interim responses on, with their fields mapped like those of the response.
 *
 * @returns `undefined` if the caller accepts none, or gets something other than a plain response
 */
export function relayInterims(request: Prepared, exchange: Exchange, target: Target) {
  const { incoming, form } = exchange;
  if (!incoming.sendInterim || request.wishes?.isSealed || form || isShown(exchange)) return undefined;
  return new InterimRelay({ request, exchange, target });
}

/** One object for a request, because most targets send no interim response. `follow` comes before `take`. */
class InterimRelay {
  readonly #building: Building;
  #left = MOST_INTERIMS;
  #hop: Address | undefined;
  #redact: Dress["redact"];

  constructor(building: Building) {
    this.#building = building;
  }

  follow(hop: Address, redact: Dress["redact"]): void {
    this.#hop = hop;
    this.#redact = redact;
  }

  take(interim: Interim): void {
    this.#left -= 1;
    if (this.#left >= 0) {
      passInterim(this.#redact?.({ ...interim, body: null }) ?? interim, this.#hop!, this.#building);
    }
  }
}

function passInterim({ status, statusText, headers }: Interim, hop: Address, building: Building): void {
  const { exchange, target } = building;
  const { incoming, record } = exchange;
  const moved = target.follow && { finalAddress: hop };
  const response: TargetResponse = { status, statusText, headers, body: null, ...moved };
  const mapped = mapFields(response, building);
  // An interim response has no content, whatever its fields say (RFC 9110 §15.2).
  mapped.delete("content-length");
  // Browsers fetch early hints before they know that the page is sandboxed, so with the rights of the proxy's origin.
  if (!isByHost(target.selector)) mapped.delete("link");
  changeResponse(exchange, mapped, response, target.origin);
  const passed = { status, statusText, headers: mapped };
  if (incoming.sendInterim?.(passed)) record.capture?.onInterim(passed);
}

function copyHeaders(response: TargetResponse, building: Building, vary: string | undefined): Fields {
  const { target, exchange } = building;
  const headers = mapFields(response, building);
  changeResponse(exchange, headers, response, target.origin);
  if (vary !== undefined) headers.append("vary", vary);
  else if (target.selector !== "label") isolate(headers, exchange);
  // A page must not leave a response in a cache that only its own extra fields caused.
  if (building.request.wishes?.isChanged) headers.append("vary", "proxy_headers, proxy-headers");
  return headers;
}

/** Maps the target's fields for the caller. */
function mapFields(response: TargetResponse, building: Building): Fields {
  const headers = new Fields();
  const nominated = readNominated(response.headers.get("connection"));
  let cookies: ReturnType<typeof cookieMapping>;
  response.headers.forEach((value, name, written) => {
    const fate = responseFate(name);
    if ((fate === "drop" && name !== "trailer") || nominated?.has(name)) return;
    if (fate === "pass") return headers.append(name, value, written);
    if (name === "set-cookie") {
      return appendCookie(headers, value, cookies ??= cookieMapping(response, building), written);
    }
    const kept = rewriteField(name, value, response, building);
    // A server that joins equal lines with a comma would change the address.
    const isRepeated = ADDRESSES.has(name) && headers.get(name) === kept;
    if (kept !== undefined && !isRepeated) headers.append(name, kept, written);
  });
  return headers;
}

/** The selectors that choose the target of this address, if any does. `proxy-host` is added only if it was sent. */
function varyOf(headers: FieldReader, { selector }: Target, response: TargetResponse): string | undefined {
  if (!VARIED.has(selector)) return undefined;
  const selectors = headers.has("proxy-host") ? "proxy_host, proxy-host, Cookie" : "proxy_host, Cookie";
  const isLed = selector === "cookie" &&
    (response.headers.has("location") || response.headers.has("refresh"));
  return isLed ? `${selectors}, Sec-Fetch-Mode, Sec-Fetch-Dest` : selectors;
}

/**
 * Sandboxes a response to `url` or `arg`: it shares the proxy's origin, but must not get its rights. Any page may embed the
 * response to a signed link, whatever policy the target sends.
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
  response: TargetResponse,
  building: Building,
): string | undefined {
  if (ADDRESSES.has(name) || name === "link") return mapAddresses(name, value, response, building);
  switch (name) {
    case "trailer":
      return announceResponseTrailers(value, response);
    case "www-authenticate":
      return isStrayChallenge(value, building.exchange, building.target) ? undefined : value;
    case "x-final-url":
      return isByHost(building.target.selector) ? value : undefined;
    case "content-security-policy":
      return isTold(building.exchange) ? value : withoutUpgrade(value);
    case "content-length":
      // Several lines are joined into one value, which is not a number; chunks take precedence over a length (RFC 9112 §6.3).
      if (!/^\d+$/.test(response.headers.get(name) ?? "") || response.headers.has("transfer-encoding")) {
        return undefined;
      }
      return dropZeros(value);
    case "cross-origin-opener-policy":
      return building.target.selector === "label" || !value.includes(OPENER_POLICY) ? value : undefined;
    default:
      return building.target.selector === "label" || !bindsOrigin(name) ? value : undefined;
  }
}

/** Marks a response. Returns a promise if there is something to mark. */
export function markResponse(
  reply: Reply,
  exchange: Exchange,
  target: Target,
  { passage }: Pick<Prepared, "passage">,
): Promise<Reply> | Reply {
  const isNews = hasNews(reply, exchange, target, passage);
  const isLink = target.selector === "cookie" && hasHostLink(reply.headers) && mayBeLed(exchange);
  if (!isNews && !isLink) return reply;
  const mark = async () => {
    if (isNews) await noteCredentials(reply, exchange, target, passage);
    if (isLink) await markHostLinks(reply.headers, exchange);
    return reply;
  };
  return mark();
}
