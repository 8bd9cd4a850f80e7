/**
 * Step 4: sends the request with a timeout, follows redirects if requested, and maps failures.
 * @module
 */

import { type Address, isByHost } from "../address/address.ts";
import { isOnCallersHost } from "../address/location.ts";
import { sendFollowing } from "../way/redirects.ts";
import { sendWithFetch } from "../way/send-fetch.ts";
import { createUpgradeSender, opensSocket } from "../way/handshake.ts";
import { isStreaming } from "../http/body.ts";
import { Cancellation } from "../http/cancellation.ts";
import type { FlowBody } from "../http/flow.ts";
import type { Deadline } from "../http/deadlines.ts";
import { takeResponse } from "../exchange/web-standard.ts";
import { type ErrorCode, ProxyError } from "../http/error.ts";
import type {
  Dress,
  Exchange,
  HopRequest,
  Judged,
  Prepared,
  Target,
  TargetResponse,
} from "../exchange/exchange.ts";
import { mapFailure } from "../http/failure.ts";
import { describeTlsFault } from "../http/handshake-fault.ts";
import { chooseRoute, lendBonds, mayDetour, refuseDetour } from "../way/choose-route.ts";
import type { Interim } from "../interim.ts";
import type { Outgoing, Send } from "../runtime.ts";
import { dressHop, findEntry, hearsCaller, limitExchange, tellDecision } from "../exchange/hooks.ts";
import { checkLength, chooseSentTrailers } from "../way/request-body.ts";
import { readFault, uploadStalled, uploadTooLarge, uploadUntaken } from "../http/upload-fault.ts";

/** Checks the address of a redirect (step 2), and returns the addresses that may be dialled. */
export type CheckHop = (
  address: Address,
  exchange: Exchange,
  target: Target,
  method: string,
) => Judged | Promise<Judged>;

/**
 * Sends the request and settles with the response headers.
 *
 * @throws {ProxyError} for every failure of the target, and if the caller leaves
 */
export function sendRequest(
  request: Prepared,
  exchange: Exchange,
  target: Target,
  checkHop: CheckHop,
  interims?: Interims,
): Promise<TargetResponse> {
  const { runtime } = exchange;
  const upgrade = opensSocket(exchange, target) ? runtime.upgrade : undefined;
  const first = { isNamed: true, isWhole: !isByHost(target.selector), interims };
  if (upgrade) return sendOnce(request, exchange, createUpgradeSender(exchange, upgrade), first);
  const sender = runtime.send ?? sendWithFetch;
  const send = exchange.record.capture?.watch(sender) ?? sender;
  if (!target.follow) return sendOnce(request, exchange, send, first);
  return sendFollowing(
    request,
    exchange.config.maxRedirects,
    (hop, isNamed) => sendOnce(hop, exchange, send, { isNamed, isWhole: true, interims }),
    (written, from) => {
      const isOwn = hearsCaller(exchange, from) &&
        isOnCallersHost(written.origin, exchange.caller.origin, from);
      return isOwn ? { ...written, origin: from } : written;
    },
    (address, method) => {
      exchange.record.hop &&= { ...address, method, isSocket: false };
      return checkHop(address, exchange, target, method);
    },
    // The next target may not be told the host that the one before was told.
    (headers, from, next) => {
      const isOwn = headers.get("origin") === exchange.caller.origin;
      if (isOwn && !hearsCaller(exchange, next)) headers.set("origin", from.origin);
    },
  );
}

/** The errors that mean that none of the addresses could be reached. */
const UNREACHED: ReadonlySet<ErrorCode> = new Set(["connection_refused", "connection_timeout", "unroutable"]);

/** Receives the interim responses of a target. */
export interface Interims {
  /**
   * The next ones belong to this request: one of several where redirects are followed.
   *
   * @param redact removes what nobody may see
   */
  follow(hop: Address, redact: Dress["redact"]): void;
  take(interim: Interim): void;
}

/** Where in a chain of redirects a request stands, and whether its caller wrote the whole address. */
interface Hop extends Pick<HopRequest, "isNamed" | "isWhole"> {
  interims?: Interims | undefined;
}

/** Sends once, with the changes of the parts. The first of the caller's abort, the timeout or a failed upload ends it. */
async function sendOnce(request: Prepared, asked: Exchange, send: Send, hop: Hop): Promise<TargetResponse> {
  const exchange = limitExchange(asked, request.origin);
  const { config, deadlines } = exchange;
  const { timeoutMs, maxRequestBytes } = config;
  checkLength(request.headers, maxRequestBytes);
  const dressed = dressHop(request, hop, exchange);
  const { signal: callerSignal } = exchange.described ?? exchange.incoming;
  const cancellation = new Cancellation();
  const fail = (failure: unknown) => cancellation.abort(failure);
  const abort = () => fail(callerGone(callerSignal.reason));
  if (callerSignal.aborted) abort();
  else callerSignal.addEventListener("abort", abort, { once: true });
  const deadline = deadlines.answer.start(() => fail(tooSlow(request, timeoutMs)));
  const wait = { deadline, isOver: false };
  try {
    const dress: Dress = dressed ?? request;
    // The rules of a part cover only the fields in front of the body, so a request that they change sends no trailers.
    const { body, origin } = request;
    if (isStreaming(body)) {
      body.passTrailers = dressed || exchange.form ? undefined : chooseSentTrailers(exchange);
      watchUpload(body, exchange, origin, wait, fail);
    } else {
      // A redirect may send the body again, so the larger count stays.
      exchange.record.bytesIn = Math.max(exchange.record.bytesIn, body?.length ?? 0);
    }
    hop.interims?.follow(request, dress.redact);
    const outgoing = toOutgoing(request, exchange, dress, cancellation, hop.interims);
    const signed = dress.signing ? await dress.signing.sign(outgoing) : outgoing;
    if (exchange.parts.witness.length > 0) await tellDecision(exchange, request.addresses);
    const response = takeResponse(await send(signed));
    return dress.redact?.(response) ?? response;
  } catch (error) {
    throw explain(findReason(cancellation, error), request, exchange);
  } finally {
    wait.isOver = true;
    deadline.stop();
    dressed?.signing?.release();
  }
}

/** Assembles the outgoing request: what is sent, and how. */
function toOutgoing(
  request: Prepared,
  exchange: Exchange,
  { path, headers }: Dress,
  signal: Outgoing["signal"],
  interims: Interims | undefined,
): Outgoing {
  const { method, origin, addresses, body } = request;
  const route = mayDetour(exchange, origin) ? chooseRoute(exchange, origin, addresses) : undefined;
  if (route) refuseDetour(exchange.runtime, origin, route);
  return {
    method,
    origin,
    path,
    headers,
    body,
    addresses,
    route,
    bonds: lendBonds(exchange, request, headers),
    signal,
    interims,
    continuation: isStreaming(body) ? (exchange.described ?? exchange.incoming).continuation : undefined,
  };
}

/** The failure as the caller sees it. If no address of a name can be reached, the name is looked up again next time. */
function explain(
  reason: unknown,
  { origin, addresses }: Prepared,
  { parts, resolver }: Exchange,
): ProxyError {
  const minVersion = findEntry(parts, origin)?.tls?.minVersion;
  const terms = { hasTable: parts.find.length > 0, minVersion };
  const failure = mapFailure(reason, origin.host, (code, texts) => describeTlsFault(code, texts, terms));
  if (addresses && UNREACHED.has(failure.code)) resolver.forget(origin.hostname, addresses);
  return failure;
}

/** Why a request failed. After a timeout, the sender may know better what it was waiting for. */
function findReason({ aborted, reason }: Cancellation, error: unknown): unknown {
  const isLate = reason instanceof ProxyError && reason.code === "response_timeout";
  return aborted && !(isLate && error instanceof ProxyError) ? reason : error;
}

/** The wait for the response headers. */
interface Wait {
  /** Stopped while the proxy waits for the caller. */
  deadline: Deadline;
  /** True once the response has started. Only the idle timeout limits the rest of the upload. */
  isOver: boolean;
}

function watchUpload(
  body: FlowBody,
  { config, deadlines, record }: Exchange,
  origin: URL,
  wait: Wait,
  fail: (error: Error) => void,
): void {
  const { idleTimeoutMs, maxRequestBytes } = config;
  const failWith = (failure: ProxyError) => {
    fail(failure);
    return failure;
  };
  body.watch({
    idle: deadlines.idle,
    look: deadlines.look,
    maxBytes: maxRequestBytes,
    stalled: () => failWith(uploadStalled(idleTimeoutMs)),
    untaken: () => failWith(uploadUntaken(origin.host)),
    tooLarge: () => failWith(uploadTooLarge(maxRequestBytes)),
    onWait: () => wait.deadline.stop(),
    onChunk(bytes) {
      record.bytesIn += bytes;
      if (!wait.isOver) wait.deadline.start();
    },
    onEnd(failure) {
      if (failure !== undefined) fail(readFault(failure));
    },
  });
}

/** For the log and the metrics only: nobody receives this response. */
const callerGone = (cause: unknown) =>
  new ProxyError("caller_gone", "The client closed the connection", { cause });

function tooSlow({ origin }: Prepared, timeoutMs: number): ProxyError {
  return new ProxyError(
    "response_timeout",
    `Cannot get a response from ${origin.host}: it sent no headers within ${timeoutMs} ms`,
  );
}
