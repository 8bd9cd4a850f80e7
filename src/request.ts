/**
 * Step 3: builds the request that goes to the target. Strips first, then adds; the incoming request stays as it is.
 * @module
 */

import type { Caller } from "./caller.ts";
import type { Config } from "./config.ts";
import { dropOwnCookies, restoreCarriedCookies } from "./cookies.ts";
import { ProxyError } from "./error.ts";
import type { Target } from "./exchange.ts";
import { type FieldReader, Fields } from "./fields.ts";
import { addClient, addVia } from "./forwarded.ts";
import { isCallerIdentity, isHopByHop, readNominated, requestFate } from "./headers.ts";
import { stripMount } from "./mount.ts";
import { countHop } from "./options.ts";
import { isReserved } from "./reserved.ts";
import type { Body } from "./body.ts";
import type { Incoming, Outgoing } from "./runtime.ts";

/** What the request is built from, beside the incoming one. */
export interface RequestContext {
  caller: Caller;
  target: Target;
  /** Whether the cookies that the caller holds for the proxy's origin may go to this target (contract 4). */
  sendCookies: boolean;
  config: Pick<Config, "forwardClient" | "mountPath" | "via">;
  /** This proxy's id in `CDN-Loop` (RFC 8586). */
  loopId: string;
  /** The addresses that may be dialled, where they were judged. */
  addresses: readonly string[] | undefined;
}

/** The outgoing request before anyone watches over it. */
export type Built = Omit<Outgoing, "signal">;

/**
 * Builds the outgoing request; a promise where the first bytes of a body must tell whether there is one.
 *
 * @throws {ProxyError} `bad_request` when a body was announced that the runtime did not hand on (GET on Bun and Deno)
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
  const body = readBody(incoming);
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
  const { caller, target, sendCookies } = context;
  switch (name) {
    case "cookie":
      return sendCookies ? rewriteCookie(value, caller) || undefined : undefined;
    case "max-forwards":
      return method === "OPTIONS" ? countHop(value) : value;
    case "origin":
      return value === caller.origin ? target.origin.origin : value;
    default:
      return mapReferer(value, context);
  }
}

function rewriteCookie(value: string, { isSecure }: Caller): string {
  const own = dropOwnCookies(value);
  return isSecure ? own : restoreCarriedCookies(own);
}

/**
 * A page of the target sends its own address; an address of the proxy's own pages stays here, by whatever name it was
 * reached (behind a front proxy that ends TLS it has another scheme), and so do others beside them.
 */
function mapReferer(referer: string, { caller, target, config }: RequestContext): string | undefined {
  const [, origin, rest = ""] = /^(https?:\/\/[^/?#]*)(.*)$/.exec(referer) ?? [];
  const path = stripMount(rest.startsWith("/") ? rest : `/${rest}`, config.mountPath);
  if (path !== undefined && isReserved(path)) return undefined;
  if (origin !== caller.origin) return referer;
  if (path === undefined || target.selector === "url") return undefined;
  return target.origin.origin + target.basePath + path;
}

/**
 * The body, or `null` for none. Framing decides, not `request.body`: runtimes hand in bodies that are not there.
 * Where no framing is shown (HTTP/2, a `Request` made in code) the first chunk tells.
 *
 * @see RFC 9112 §6.3
 */
function readBody(incoming: Incoming): Body | Promise<Body> {
  const { body, headers, method } = incoming;
  const length = headers.get("content-length");
  const isFramed = (length !== null && length !== "0") || headers.has("transfer-encoding");
  if (body === null && isFramed) {
    const message =
      `Cannot forward a body with ${method}: this runtime does not read one, expected a request without`;
    throw new ProxyError("bad_request", message);
  }
  if (length !== null && !/^\d+$/.test(length)) {
    throw new ProxyError(
      "bad_request",
      "Cannot use header content-length: it is malformed, expected one number",
    );
  }
  checkCoding(headers.get("transfer-encoding"));
  if (body === null || length === "0") return null;
  return isFramed || !(body instanceof ReadableStream) ? body : peek(body);
}

/** The server took the chunks off; any other coding would be lost with the field that names it (RFC 9112 §6.1). */
function checkCoding(coding: string | null): void {
  if (coding === null || coding.toLowerCase() === "chunked") return;
  throw new ProxyError(
    "bad_request",
    "Cannot forward the body: its transfer coding is unknown, expected transfer-encoding: chunked alone",
  );
}

async function peek(body: ReadableStream<Uint8Array>): Promise<Body> {
  const reader = body.getReader();
  let first = await reader.read();
  // Deno shows a body that is not there as one empty chunk.
  while (!first.done && first.value.length === 0) first = await reader.read();
  if (first.done) return null;
  let pending: Uint8Array | undefined = first.value;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = pending ?? (await reader.read()).value;
      pending = undefined;
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
