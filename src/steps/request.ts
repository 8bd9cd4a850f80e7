/**
 * Step 3: builds the request that goes to the target. Strips first, then adds; the incoming request stays as it is.
 * @module
 */

import type { Ambient } from "../exchange/cookie-rights.ts";
import type { Caller } from "../exchange/caller.ts";
import type { Config } from "../settings/config.ts";
import type { Passage } from "../exchange/credentials.ts";
import { dropOwnCookies, restoreCarriedCookies } from "../http/cookies.ts";
import { releaseCookies } from "../http/cookie-jar.ts";
import type { Target } from "../exchange/exchange.ts";
import { type FieldReader, Fields } from "../http/fields.ts";
import { addClient, addVia } from "../http/forwarded.ts";
import { isCallerIdentity, isHopByHop, readNominated, requestFate } from "../http/headers.ts";
import { stripMount } from "../address/mount.ts";
import { type BodyContext, readBody } from "../exchange/request-body.ts";
import { isReserved, RESERVED } from "../address/reserved.ts";
import type { Body } from "../http/body.ts";
import type { Incoming, Outgoing } from "../exchange/runtime.ts";
import { mapDestination, mapIf } from "../exchange/webdav.ts";

/** What the request is built from, beside the incoming one. */
export interface RequestContext extends BodyContext {
  caller: Caller;
  target: Target;
  /** What of the things that a browser sends by itself may go to this target. */
  ambient: Ambient;
  /** Of credentials that a browser sends by itself: whether they go out. */
  passage: Pick<Passage, "isOpen"> | undefined;
  config: Pick<Config, "forwardClient" | "idleTimeoutMs" | "mountPath" | "via">;
  /** This proxy's id in `CDN-Loop` (RFC 8586). */
  loopId: string;
  /** The addresses that may be dialled, where they were judged. */
  addresses: readonly string[] | undefined;
}

/** What opens the proxy, in an address of its own. */
const SECRET = /[?&](?:token|sig|proof|confirm|ticket)=/;

/** The outgoing request before anyone watches over it. */
export type Built = Omit<Outgoing, "signal">;

/**
 * Builds the outgoing request; a promise where the first bytes of a body must tell whether there is one.
 *
 * @throws {ProxyError} `bad_request` when a body was announced that the runtime did not hand on (GET on Bun and Deno);
 * `request_timeout` and `caller_gone` when the first bytes do not come
 * @see RFC 9110 §7.6, contract 4
 */
export function buildRequest(incoming: Incoming, context: RequestContext): Built | Promise<Built> {
  const { target, addresses } = context;
  const headers = new Fields();
  if (target.selector === "arg") copyDescribed(incoming.headers, headers, context);
  else copyHeaders(incoming, headers, context);
  if (context.config.forwardClient) addClient(headers, context.caller);
  headers.set("host", target.origin.host);
  if (target.authorization && !headers.has("authorization")) {
    headers.set("authorization", target.authorization);
  }
  if (context.config.via) addVia(headers, context.config.via);
  headers.append("cdn-loop", context.loopId);
  const { method } = incoming;
  const { origin, path } = target;
  const build = (body: Body): Built => {
    if (body === null && headers.get("content-length") !== "0") headers.delete("content-length");
    return { method, origin, path, headers, body, addresses };
  };
  const body = readBody(incoming, context);
  return body instanceof Promise ? body.then(build) : build(body);
}

/** An argument says itself what goes out; only what every hop owns is not its own. */
function copyDescribed(
  described: FieldReader,
  headers: Fields,
  { config: { forwardClient } }: RequestContext,
): void {
  for (const [name, value] of described) {
    // Where the proxy says who called, nobody else does.
    if (!isHopByHop(name) && !(forwardClient && isCallerIdentity(name))) headers.append(name, value);
  }
}

/** Everything that ends here, says who called or steers the proxy stays; what points at the proxy points at the target. */
function copyHeaders(incoming: Incoming, headers: Fields, context: RequestContext): void {
  const nominated = readNominated(incoming.headers.get("connection"));
  incoming.headers.forEach((value, name) => {
    const fate = requestFate(name);
    if (fate === "drop" || nominated?.has(name)) return;
    const outgoing = fate === "pass" ? value : rewriteField(name, value, incoming.method, context);
    if (outgoing !== undefined) headers.append(name, outgoing);
  });
}

function rewriteField(name: string, value: string, method: string, context: RequestContext) {
  const { caller, target, ambient } = context;
  switch (name) {
    case "cookie":
      return ambient.sendsCookies ? rewriteCookie(value, context) || undefined : undefined;
    case "authorization":
      return context.passage?.isOpen === false ? undefined : value;
    case "sec-fetch-site":
      // Between labels a browser says `same-site`; the hosts behind them are none.
      return ambient.isCrossing ? "cross-site" : value;
    case "content-length":
      // What some read as octal is written as all read it.
      return value.replace(/^0+(?=\d)/, "");
    case "max-forwards":
      return method === "OPTIONS" ? countHop(value) : value;
    case "origin":
      return value === caller.origin ? target.origin.origin : value;
    case "destination":
      return mapDestination(value, context);
    case "if":
      return mapIf(value, context);
    default:
      return mapReferer(value, context);
  }
}

/** Over https a name is carried only where `url` or a mount path takes `Path=/` from it; elsewhere none is believed. */
function rewriteCookie(value: string, { caller, target, config, ambient }: RequestContext): string {
  const { isSecure } = caller;
  const released = ambient.owner === undefined ? value : releaseCookies(value, ambient.owner, isSecure);
  const own = dropOwnCookies(released);
  const mayBeCarried = !isSecure || target.selector === "url" || config.mountPath !== "";
  return mayBeCarried ? restoreCarriedCookies(own, isSecure) : own;
}

/**
 * A page of the target sends its own address; an address of the proxy's own pages stays here, by whatever name it was
 * reached (behind a front proxy that ends TLS it has another scheme, or another path), and so do others beside them.
 */
function mapReferer(referer: string, { caller, target, config }: RequestContext): string | undefined {
  if (referer.includes(RESERVED) && SECRET.test(referer)) return undefined;
  const [, origin, rest = ""] = /^(https?:\/\/[^/?#]*)(.*)/s.exec(referer) ?? [];
  const path = stripMount(rest.startsWith("/") ? rest : `/${rest}`, config.mountPath);
  if (path !== undefined && isReserved(path)) return undefined;
  if (origin !== caller.origin) return referer;
  if (path === undefined || target.selector === "url") return undefined;
  return target.origin.origin + target.basePath + path;
}

/** The hops that are left for the target; what is no number stays as it is. */
function countHop(maxForwards: string): string {
  return /^\d{1,9}$/.test(maxForwards) ? String(Number(maxForwards) - 1) : maxForwards;
}
