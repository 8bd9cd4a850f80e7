/**
 * Step 4: sends the request under its deadline, follows redirects where asked, and says what went wrong.
 * @module
 */

import { type Address, decodeAddress, encodeBytes, formatAddress } from "../address/address.ts";
import { type Body, discard, isStreaming, watchBody } from "../http/body.ts";
import { Cancellation, type Signal } from "../http/cancellation.ts";
import type { Config } from "../settings/config.ts";
import type { Deadline, Deadlines } from "../http/deadlines.ts";
import { ProxyError } from "../http/error.ts";
import type { Answer, Judged } from "../exchange/exchange.ts";
import { type FieldReader, Fields } from "../http/fields.ts";
import { mapFailure } from "../http/failure.ts";
import type { Outgoing, Send, Upstream } from "../exchange/runtime.ts";
import { checkLength, readFault, uploadStalled, uploadTooLarge } from "../http/upload.ts";

type Built = Omit<Outgoing, "signal">;

/** How a request is sent. */
export interface SendContext {
  send: Send;
  /** The caller's signal: aborts the request to the target at once, before its answer and in the middle of it. */
  callerSignal: Signal;
  /** Counts the bytes of the upload. */
  record: { bytesIn: number };
  config: Pick<Config, "timeoutMs" | "idleTimeoutMs" | "maxRequestBytes" | "maxRedirects">;
  deadlines: Record<"answer" | "idle", Deadlines>;
  /** Follows redirects; else every 3xx is handed on. */
  follow: boolean;
  /** Judges an address before it is asked (step 2) and gives the addresses that may be dialled. */
  checkHop(address: Address): Judged | Promise<Judged>;
}

/**
 * Sends the request and settles with the head of the answer.
 *
 * @throws {ProxyError} for every failure of the target; the caller's own abort is rethrown as it is
 */
export function sendRequest(request: Built, context: SendContext): Promise<Answer> {
  checkLength(request.headers, context.config.maxRequestBytes);
  return context.follow ? sendFollowing(request, context) : sendOnce(request, context);
}

async function sendFollowing(request: Built, context: SendContext): Promise<Answer> {
  const { maxRedirects } = context.config;
  let current = request;
  for (let hops = 0;; hops += 1) {
    const upstream = await sendOnce(current, context);
    const next = readRedirect(upstream, current);
    if (!next) return hops ? { ...upstream, finalAddress: current } : upstream;
    discard(upstream.body);
    if (hops >= maxRedirects) {
      throw new ProxyError(
        "too_many_redirects",
        `Cannot follow the redirect: there were ${hops} before, expected fewer`,
      );
    }
    current = await buildNextHop(current, next, upstream.status, context);
  }
}

/** Sends once. The caller's abort, the deadline and a fault of the upload end the request, whichever comes first. */
async function sendOnce(request: Built, context: SendContext): Promise<Upstream> {
  const { callerSignal, config: { timeoutMs } } = context;
  const cancellation = new Cancellation();
  const fail = (failure: unknown) => cancellation.abort(failure);
  const abort = () => fail(callerGone(callerSignal.reason));
  if (callerSignal.aborted) abort();
  else callerSignal.addEventListener("abort", abort, { once: true });
  const deadline = context.deadlines.answer.start(() => fail(tooSlow(request, timeoutMs)));
  const wait = { deadline, isOver: false };
  try {
    const { method, origin, path, headers, addresses } = request;
    const body = watchUpload(request.body, context, wait, fail);
    return await context.send({ method, origin, path, headers, body, addresses, signal: cancellation });
  } catch (error) {
    throw mapFailure(cancellation.aborted ? cancellation.reason : error, request.origin.host);
  } finally {
    wait.isOver = true;
    deadline.stop();
  }
}

/** The wait for the head of the answer. */
interface Wait {
  /** Does not run while the caller is the slow one. */
  deadline: Deadline;
  /** The answer is here; what is left of the upload may come in its own time. */
  isOver: boolean;
}

function watchUpload(
  body: Body,
  context: SendContext,
  wait: Wait,
  fail: (error: Error) => void,
): Body {
  if (!isStreaming(body)) {
    // Some redirects send it again.
    context.record.bytesIn = Math.max(context.record.bytesIn, body?.length ?? 0);
    return body;
  }
  const { idleTimeoutMs, maxRequestBytes } = context.config;
  const failWith = (failure: ProxyError) => {
    fail(failure);
    return failure;
  };
  return watchBody(body, {
    idle: context.deadlines.idle,
    maxBytes: maxRequestBytes,
    stalled: () => failWith(uploadStalled(idleTimeoutMs)),
    tooLarge: () => failWith(uploadTooLarge(maxRequestBytes)),
    onWait: () => wait.deadline.stop(),
    onChunk(bytes) {
      context.record.bytesIn += bytes;
      if (!wait.isOver) wait.deadline.start();
    },
    onEnd(failure) {
      if (failure !== undefined) fail(readFault(failure));
    },
  });
}

/** Nobody sees this answer; the log and the metrics tell it from a target that is dead. */
function callerGone(cause: unknown): ProxyError {
  return new ProxyError("caller_gone", "Cannot answer: the caller has gone, expected it to wait", { cause });
}

function tooSlow({ origin }: Built, timeoutMs: number): ProxyError {
  return new ProxyError(
    "response_timeout",
    `Cannot get an answer from ${origin.host}: it sent no response headers, expected them within ${timeoutMs} ms`,
  );
}

/** Where a redirect leads to; `undefined` when the answer is none, or leads nowhere that can be asked. */
function readRedirect(upstream: Upstream, { origin, path }: Built): Address | undefined {
  if (![301, 302, 303, 307, 308].includes(upstream.status)) return undefined;
  const location = encodeBytes(readLocation(upstream.headers) ?? "");
  const base = formatAddress({ origin, path });
  if (!location || !URL.canParse(location, base)) return undefined;
  const written = /^https?:\/\//i.test(location) ? location : new URL(location, base).href;
  return decodeAddress(written);
}

/** `Location`, where there is one only: equal lines are one, of others nobody knows which is meant. */
function readLocation(headers: FieldReader): string | undefined {
  const values = new Set<string>();
  headers.forEach((value, name) => void (name === "location" && values.add(value)));
  const [location, another] = values;
  return another === undefined ? location : undefined;
}

/**
 * The request of the next hop: method and body change as browsers do, credentials stay with their origin.
 *
 * @see Fetch §4.4 (HTTP-redirect fetch), RFC 9110 §15.4
 */
async function buildNextHop(
  request: Built,
  { origin, path }: Address,
  status: number,
  context: SendContext,
): Promise<Built> {
  const headers = new Fields(request.headers);
  headers.set("host", origin.host);
  if (origin.origin !== request.origin.origin) { for (const name of CREDENTIALS) headers.delete(name); }
  const becomesGet = status === 303
    ? request.method !== "GET" && request.method !== "HEAD"
    : (status === 301 || status === 302) && request.method === "POST";
  if (becomesGet) { for (const name of BODY_FIELDS) headers.delete(name); }
  const addresses = await context.checkHop({ origin, path });
  return {
    method: becomesGet ? "GET" : request.method,
    origin,
    path,
    headers,
    body: becomesGet ? null : request.body,
    addresses,
  };
}

const CREDENTIALS = ["authorization", "cookie", "cookie2"];
const BODY_FIELDS = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-type",
];
