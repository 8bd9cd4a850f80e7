/**
 * Step 4: sends the request under its deadline, follows redirects where asked, and says what went wrong.
 * @module
 */

import { type Address, decodeAddress, formatAddress } from "./address.ts";
import { ProxyError } from "./error.ts";
import { mapFailure } from "./failure.ts";
import type { Outgoing, Send, Upstream } from "./runtime.ts";

/** How a request is sent. */
export interface SendContext {
  send: Send;
  /** The caller's signal: aborts the request to the target at once, before its answer and in the middle of it. */
  callerSignal: AbortSignal;
  /** Milliseconds until the response headers must be here; 0 for no limit. */
  timeoutMs: number;
  /** How many redirects are followed; `undefined` hands every 3xx on. */
  maxRedirects?: number;
  /** Judges an address before it is asked (step 2) and gives the addresses that may be dialled. */
  checkHop(address: Address): Promise<readonly string[] | undefined>;
}

/** The target's answer, and where it came from when redirects were followed. */
export interface Answer extends Upstream {
  finalAddress?: Address;
}

/**
 * Sends the request and settles with the head of the answer.
 *
 * @throws {ProxyError} for every failure of the target; the caller's own abort is rethrown as it is
 */
export async function sendRequest(request: Omit<Outgoing, "signal">, context: SendContext): Promise<Answer> {
  const { maxRedirects } = context;
  if (maxRedirects === undefined) return await sendOnce(request, context);
  let current = request;
  for (let hops = 0;; hops += 1) {
    const upstream = await sendOnce(current, context);
    const next = readRedirect(upstream, current);
    if (!next) return hops ? { ...upstream, finalAddress: current } : upstream;
    await discard(upstream);
    if (hops >= maxRedirects) {
      throw new ProxyError("too_many_redirects", `Cannot follow the redirect: there were ${hops} before, expected fewer`);
    }
    current = await buildNextHop(current, next, upstream.status, context);
  }
}

async function sendOnce(request: Omit<Outgoing, "signal">, context: SendContext): Promise<Upstream> {
  const controller = new AbortController();
  const { callerSignal, timeoutMs } = context;
  const abort = () => controller.abort(callerSignal.reason);
  if (callerSignal.aborted) abort();
  else callerSignal.addEventListener("abort", abort, { once: true });
  const timer = timeoutMs > 0 ? setTimeout(() => controller.abort(timeout(request, timeoutMs)), timeoutMs) : undefined;
  try {
    return await context.send({ ...request, signal: controller.signal });
  } catch (error) {
    throw mapFailure(controller.signal.aborted ? controller.signal.reason : error, request.origin.host);
  } finally {
    clearTimeout(timer);
  }
}

function timeout({ origin }: Pick<Outgoing, "origin">, timeoutMs: number): ProxyError {
  return new ProxyError(
    "response_timeout",
    `Cannot get an answer from ${origin.host}: it sent no response headers, expected them within ${timeoutMs} ms`,
  );
}

/** Where a redirect leads to; `undefined` when the answer is none, or leads nowhere that can be asked. */
function readRedirect(upstream: Upstream, { origin, path }: Outgoing | Omit<Outgoing, "signal">): Address | undefined {
  if (![301, 302, 303, 307, 308].includes(upstream.status)) return undefined;
  const location = upstream.headers.get("location");
  const base = formatAddress({ origin, path });
  if (!location || !URL.canParse(location, base)) return undefined;
  const written = /^https?:\/\//i.test(location) ? location : new URL(location, base).href;
  return decodeAddress(written);
}

/**
 * The request of the next hop: method and body change as browsers do, credentials stay with their origin.
 *
 * @see Fetch §4.4 (HTTP-redirect fetch), RFC 9110 §15.4
 */
async function buildNextHop(
  request: Omit<Outgoing, "signal">,
  { origin, path }: Address,
  status: number,
  context: SendContext,
): Promise<Omit<Outgoing, "signal">> {
  const headers = new Headers(request.headers);
  headers.set("host", origin.host);
  if (origin.origin !== request.origin.origin) for (const name of CREDENTIALS) headers.delete(name);
  const becomesGet = status === 303
    ? request.method !== "GET" && request.method !== "HEAD"
    : (status === 301 || status === 302) && request.method === "POST";
  if (becomesGet) for (const name of BODY_FIELDS) headers.delete(name);
  const addresses = await context.checkHop({ origin, path });
  return {
    method: becomesGet ? "GET" : request.method,
    origin,
    path,
    headers,
    body: becomesGet ? null : request.body,
    ...(addresses && { addresses }),
  };
}

const CREDENTIALS = ["authorization", "cookie", "cookie2"];
const BODY_FIELDS = ["content-encoding", "content-language", "content-length", "content-location", "content-type"];

async function discard({ body }: Upstream): Promise<void> {
  if (body instanceof ReadableStream) await body.cancel().catch(() => {});
}
