/**
 * Step 3: builds the request to the target. It strips first, then adds. The incoming request is not changed.
 * @module
 */

import { hostOf, isByHost } from "../address/address.ts";
import type { Caller } from "../who/caller.ts";
import { isKept, isStray, judgeCookies, judgeCredentials } from "../may/credentials.ts";
import { isTold } from "../may/private-targets.ts";
import { dropOwnCookies, restoreCarriedCookies } from "../http/cookies.ts";
import { releaseCookies } from "../http/cookie-jar.ts";
import type { Exchange, Judged, PlannedRequest, Prepared, Target } from "../exchange/exchange.ts";
import type { Line } from "../exchange/findings.ts";
import { hearsCaller, readWishes } from "../exchange/hooks.ts";
import { Fields, KeptFields } from "../http/fields.ts";
import { addClient, addVia } from "../http/forwarded.ts";
import { copyText } from "../http/memo.ts";
import { dropZeros, isCallerIdentity, isHopByHop, readNominated, requestFate } from "../http/headers.ts";
import { isReserved, pathOnTarget, RESERVED, stripMount } from "../address/reserved-paths.ts";
import { askForTrailers, readBody } from "../way/request-body.ts";
import type { Config } from "../settings/config.ts";
import type { Incoming } from "../runtime.ts";
import { mapDestination, mapIf } from "../way/webdav.ts";

/** Parameters of the proxy's own addresses that are secrets. */
const SECRET = /[?&](?:token|sig|proof|confirm|ticket)=/;

/**
 * Builds the outgoing request.
 *
 * @param addresses the only ones that may be dialled; `undefined` if none were checked
 * @throws {ProxyError} `bad_request` if a body was announced but the runtime did not pass it on (some drop that of a GET);
 * `request_timeout` and `caller_gone` if the first bytes do not arrive
 * @see RFC 9110 §7.6, rules 4.1 to 4.5
 */
export function buildRequest(
  exchange: Exchange,
  target: Target,
  addresses: Judged,
): Prepared | Promise<Prepared> {
  const known = recall(exchange, target);
  if (!known) return buildAnew(exchange, target, addresses);
  const headers = known.headers.fillFrom(exchange.incoming.headers);
  return { ...known, headers, path: target.path, addresses };
}

async function buildAnew(exchange: Exchange, target: Target, addresses: Judged): Promise<Prepared> {
  const { caller, config, loopId } = exchange;
  const { origin, path, selector, authorization } = target;
  const request = exchange.described ?? exchange.incoming;
  const cookies = judgeCookies(exchange, target);
  const judged = judgeCredentials(exchange, target, cookies);
  const passage = judged && await judged;
  const rewriting: Rewriting = { exchange, target, cookies, passage, asked: undefined };
  const headers = selector === "arg" ? copyDescribed(request, config) : copyHeaders(request, rewriting);
  const mayWish = rewriting.asked !== undefined || selector === "arg";
  const wishes = mayWish ? await readWishes(rewriting.asked ?? [], exchange, target) : undefined;
  const isShown = (wishes?.isSealed || exchange.form?.showsHead(exchange.incoming) === true) &&
    mayBePage(caller);
  if (isShown && selector !== "arg") dropAmbient(headers);
  if (authorization && !headers.has("authorization")) headers.set("authorization", authorization);
  exchange.form?.writeRequest(headers, config);
  wishes?.change(headers);
  if (config.forwardClient) addClient(headers, caller);
  headers.set("host", hostOf(origin));
  for (const strip of exchange.parts.strip) strip(headers, path);
  if (config.via) addVia(headers, config.via);
  headers.append("cdn-loop", loopId);
  const read = readBody(request, exchange);
  const body = read instanceof Promise ? await read : read;
  if (body === null && headers.get("content-length") !== "0") headers.delete("content-length");
  const prepared: Prepared = {
    method: request.method,
    origin,
    path,
    headers,
    body,
    addresses,
    cookies,
    // Credentials that the caller set itself say nothing about the password that the browser keeps.
    passage: wishes?.hasOwnLogin ? undefined : passage,
    isStray: isShown || isStray(exchange, target, passage),
    wishes,
  };
  return keep(prepared, exchange, target);
}

/** The request that was built earlier from the same fields; `undefined` if there is none. */
function recall(
  exchange: Exchange,
  { selector, basePath, origin }: Target,
): PlannedRequest["prepared"] | undefined {
  const { asker, form, plan: { request: kept }, incoming: { method, takesTrailers } } = exchange;
  const isSame = kept !== undefined && !form && kept.asker === asker && kept.selector === selector &&
    kept.basePath === basePath &&
    kept.takesTrailers === takesTrailers && kept.prepared.origin === origin &&
    kept.prepared.method === method;
  return isSame ? kept.prepared : undefined;
}

/** Keeps a request for the next one with the same head, if it depends on nothing but the plan. */
function keep(prepared: Prepared, exchange: Exchange, target: Target): Prepared {
  const { asker, caller, parts, plan, incoming } = exchange;
  const { takesTrailers } = incoming;
  const { selector, basePath } = target;
  const isProgram = !caller.isBrowser && !caller.hasOrigin;
  const isPlain = prepared.body === null && !prepared.wishes;
  if (
    !plan.isKept || !isProgram || !isByHost(selector) || !isPlain || exchange.form || parts.strip.length > 0
  ) {
    return prepared;
  }
  const free = plan.head instanceof KeptFields ? plan.head.free : [];
  const headers = new KeptFields(new Fields(prepared.headers), free);
  // A part of the received text would keep all of that alive, cookies too. The path is that of each request anyway.
  const kept = { ...prepared, method: copyText(prepared.method), path: "", headers };
  plan.request = { asker, selector, basePath, takesTrailers, prepared: kept };
  return { ...prepared, headers: headers.fillFrom(incoming.headers) };
}

/**
 * True if a page may read the response's whole head. Then the user's cookies and passwords must not be sent: on the open
 * web, a script sees neither `HttpOnly` cookies nor the address of a redirect. Over plain http on a name that is not
 * loopback, browsers do not identify themselves, so every caller may be a page.
 */
function mayBePage(caller: Caller): boolean {
  return caller.isBrowser || caller.hasOrigin || !isTold({ caller });
}

function dropAmbient(headers: Fields): void {
  headers.delete("cookie");
  if (isKept(headers.get("authorization"))) headers.delete("authorization");
}

/** The context for rewriting a field. */
interface Rewriting extends Pick<Prepared, "cookies" | "passage"> {
  exchange: Exchange;
  target: Target;
  /** Gathers the lines that are for parts; absent in almost every request. */
  asked: Line[] | undefined;
}

/** An `arg` describes all outgoing fields, except hop-by-hop fields. */
function copyDescribed({ headers: described }: Incoming, { forwardClient }: Config): Fields {
  const headers = new Fields();
  described.forEach((value, name, written) => {
    // With `FORWARD_CLIENT` only the proxy names the caller.
    if (!isHopByHop(name) && !(forwardClient && isCallerIdentity(name))) headers.append(name, value, written);
  });
  return headers;
}

/** Drops fields that end here, name the caller or steer the proxy. Maps fields that point at the proxy to the target. */
function copyHeaders(incoming: Incoming, rewriting: Rewriting): Fields {
  const headers = new Fields();
  const nominated = readNominated(incoming.headers.get("connection"));
  incoming.headers.forEach((value, name, written) => {
    const fate = requestFate(name);
    if (name === "te") return askForTrailers(headers, incoming, written);
    if (fate === "drop" || nominated?.has(name)) return;
    const outgoing = fate === "pass" ? value : rewriteField(name, value, incoming.method, rewriting);
    if (outgoing !== undefined) headers.append(name, outgoing, written);
  });
  return headers;
}

function rewriteField(
  name: string,
  value: string,
  method: string,
  rewriting: Rewriting,
): string | undefined {
  const { exchange, target, cookies, passage } = rewriting;
  const { caller } = exchange;
  switch (name) {
    case "cookie":
      return cookies.sendsCookies ? rewriteCookie(value, rewriting) || undefined : undefined;
    case "authorization":
      return passage?.isOpen === false ? undefined : value;
    case "sec-fetch-site":
      // To a browser all labels are one site, but their hosts are not.
      return cookies.isCrossing ? "cross-site" : value;
    case "content-length":
      return dropZeros(value);
    case "max-forwards":
      return method === "OPTIONS" ? countHop(value) : value;
    case "origin":
      return value === caller.origin && !hearsCaller(exchange, target.origin) ? target.origin.origin : value;
    case "proxy_headers":
    case "proxy-headers":
    case "proxy_seal":
    case "proxy-seal":
      return void (rewriting.asked ??= []).push([name, value]);
    case "destination":
      return mapDestination(value, exchange, target);
    case "if":
      return mapIf(value, exchange, target);
    default:
      return mapReferer(value, exchange, target);
  }
}

/**
 * Over https, only `url`, `at` or a mount path changes `Path=/`, so carried names are restored only there. Elsewhere they
 * are not trusted.
 */
function rewriteCookie(value: string, { exchange, target, cookies }: Rewriting): string {
  const { caller: { isSecure }, config } = exchange;
  const released = cookies.owner === undefined ? value : releaseCookies(value, cookies.owner, isSecure);
  const own = dropOwnCookies(released);
  const mayBeCarried = !isSecure || !isByHost(target.selector) || config.mountPath !== "";
  return mayBeCarried ? restoreCarriedCookies(own, isSecure) : own;
}

/**
 * Maps the address of a proxied page to the target's. Drops addresses of the proxy's own pages under any name, because
 * scheme and path may differ behind a front proxy.
 */
function mapReferer(referer: string, exchange: Exchange, target: Target): string | undefined {
  const { caller, config } = exchange;
  if (referer.includes(RESERVED) && SECRET.test(referer)) return undefined;
  const [, origin, rest = ""] = /^(https?:\/\/[^/?#]*)(.*)/s.exec(referer) ?? [];
  const path = stripMount(rest.startsWith("/") ? rest : `/${rest}`, config.mountPath);
  const inside = path === undefined ? undefined : pathOnTarget(path, target.place);
  if (path !== undefined && isReserved(path) && inside === undefined) return undefined;
  if (origin !== caller.origin) return referer;
  // A page of the plain origin is none of this target's.
  if (inside === undefined || target.selector === "url") return undefined;
  const isHeard = hearsCaller(exchange, target.origin);
  if (isHeard && target.place === undefined) return referer;
  return (isHeard ? origin : target.origin.origin) + target.basePath + inside;
}

/** `Max-Forwards` for the next hop (RFC 9110 §7.6.2). A malformed value is kept. */
function countHop(maxForwards: string): string {
  return /^\d{1,9}$/.test(maxForwards) ? String(Number(maxForwards) - 1) : maxForwards;
}
