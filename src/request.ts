/**
 * Step 3: builds the request that goes to the target. Strips first, then adds; the incoming request stays as it is.
 * @module
 */

import type { Caller } from "./caller.ts";
import { dropOwnCookies, restoreCarriedCookies } from "./cookies.ts";
import { ProxyError } from "./error.ts";
import { isCallerIdentity, isHopByHop, isSteering, readNominated } from "./headers.ts";
import type { Body, Incoming, Outgoing } from "./runtime.ts";
import type { Target } from "./target.ts";

/** What the request is built from, beside the incoming one. */
export interface RequestContext {
  caller: Caller;
  target: Target;
  /** Whether the cookies that the caller holds for the proxy's origin may go to this target (contract 4). */
  sendCookies: boolean;
}

/**
 * Builds the outgoing request.
 *
 * @throws {ProxyError} `bad_request` when a body was announced that the runtime did not hand on (GET on Bun and Deno)
 * @see RFC 9110 §7.6, contract 4
 */
export async function buildRequest(incoming: Incoming, context: RequestContext): Promise<Omit<Outgoing, "signal">> {
  const { target } = context;
  const headers = copyHeaders(incoming.headers);
  if (target.selector !== "arg") rewriteHeaders(headers, context);
  headers.set("host", target.origin.host);
  if (target.authorization && !headers.has("authorization")) headers.set("authorization", target.authorization);
  const framed = readBody(incoming);
  const body = framed instanceof Promise ? await framed : framed;
  if (body === null && headers.get("content-length") !== "0") headers.delete("content-length");
  return { method: incoming.method, origin: target.origin, path: target.path, headers, body };
}

function copyHeaders(incoming: Headers): Headers {
  const headers = new Headers();
  const nominated = readNominated(incoming.get("connection"));
  for (const [name, value] of incoming) {
    if (!isHopByHop(name) && !nominated?.has(name)) headers.append(name, value);
  }
  return headers;
}

/** Everything that says who called, or that steers the proxy, goes; what points at the proxy points at the target. */
function rewriteHeaders(headers: Headers, { caller, target, sendCookies }: RequestContext): void {
  for (const name of [...headers.keys()]) if (isCallerIdentity(name) || isSteering(name)) headers.delete(name);
  const cookie = sendCookies ? readOutgoingCookie(headers, caller) : "";
  if (cookie) headers.set("cookie", cookie);
  else headers.delete("cookie");
  if (headers.get("origin") === caller.origin) headers.set("origin", target.origin.origin);
  const referer = headers.get("referer");
  if (!referer?.startsWith(caller.origin)) return;
  const mapped = mapReferer(referer.slice(caller.origin.length) || "/", target);
  if (mapped) headers.set("referer", mapped);
  else headers.delete("referer");
}

function readOutgoingCookie(headers: Headers, caller: Caller): string {
  const cookie = headers.get("cookie");
  if (!cookie) return "";
  const own = dropOwnCookies(cookie);
  return caller.isSecure ? own : restoreCarriedCookies(own);
}

/** A page of the target sends its own address; an address of the proxy's own pages, or of another target, stays here. */
function mapReferer(path: string, target: Target): string | undefined {
  const isHostSelector = target.selector !== "url" && target.selector !== "arg";
  if (!isHostSelector || !path.startsWith("/") || path.startsWith("/__proxy__")) return undefined;
  return target.origin.origin + target.basePath + path;
}

/**
 * The body, or `null` for none. Framing decides, not `request.body`: runtimes hand in bodies that are not there.
 * Where no framing is shown (HTTP/2, a `Request` made in code) the first chunk tells.
 *
 * @see RFC 9112 §6.3
 */
function readBody(incoming: Incoming): Body | Promise<Body> {
  const length = incoming.headers.get("content-length");
  const isFramed = (length !== null && length !== "0") || incoming.headers.has("transfer-encoding");
  if (incoming.body === null && isFramed) {
    throw new ProxyError(
      "bad_request",
      `Cannot forward a body with ${incoming.method}: this runtime does not read one, expected a request without body`,
    );
  }
  if (incoming.body === null || length === "0") return null;
  return isFramed || incoming.body instanceof Uint8Array ? incoming.body : peek(incoming.body);
}

async function peek(body: ReadableStream<Uint8Array>): Promise<Body> {
  const reader = body.getReader();
  const first = await reader.read();
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
