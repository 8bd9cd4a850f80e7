/**
 * The body of an incoming request: finds out whether there is one, refuses ambiguous framing, reads what is posted to the
 * proxy itself, and chooses the trailers that go on (rule 17.14).
 * @module
 */

import type { Exchange } from "../exchange/exchange.ts";
import { type Body, isStreaming, readWhole, watchBody } from "../http/body.ts";
import { cannotUse, ProxyError } from "../http/error.ts";
import type { FieldReader, FieldWriter } from "../http/fields.ts";
import type { FlowBody } from "../http/flow.ts";
import { chooseRequestTrailers } from "../http/trailers.ts";
import { readFault, uploadStalled, uploadTooLarge } from "../http/upload-fault.ts";
import type { Incoming } from "../runtime.ts";

/** Settings and timeouts for the wait for the first bytes. */
type Timed = Pick<Exchange, "config" | "deadlines">;

/**
 * Reads the body; `null` for none. Framing decides, not `request.body`, because runtimes pass in bodies that do not
 * exist. Without framing (HTTP/2, a `Request` made in code) the first chunk decides.
 *
 * @throws {ProxyError} `bad_request`, `request_timeout` or `caller_gone`; `internal` if it was already read
 * @see RFC 9112 §6.3
 */
export function readBody(incoming: Incoming, exchange: Timed): Body | Promise<Body> {
  const { body, headers, method } = incoming;
  const length = headers.get("content-length");
  if (length !== null && !/^\d+$/.test(length)) {
    throw cannotUse("header content-length", "it is malformed", "one number");
  }
  const isFramed = Number(length) > 0 || headers.has("transfer-encoding");
  if (body === null && isFramed) {
    const message = `Cannot forward a body with ${method}: this runtime cannot read one. Leave the body out`;
    throw new ProxyError("bad_request", message);
  }
  checkCoding(headers.get("transfer-encoding"));
  if (body === null || (length !== null && !isFramed)) return null;
  checkUntouched(incoming);
  return isFramed || !isStreaming(body) ? body : waitForBytes(body, exchange);
}

/**
 * Refuses a body whose `Content-Length` is too large.
 *
 * @param maxBytes 0 for no limit
 * @throws {ProxyError} `request_too_large`
 */
export function checkLength(headers: FieldReader, maxBytes: number): void {
  if (maxBytes > 0 && Number(headers.get("content-length") ?? 0) > maxBytes) throw uploadTooLarge(maxBytes);
}

/**
 * Checks that the body is neither read nor locked. After a body parser it would be empty, or never end.
 *
 * @throws {ProxyError} `internal`
 */
function checkUntouched({ bodyUsed }: Pick<Incoming, "bodyUsed">): void {
  if (!bodyUsed) return;
  throw new ProxyError(
    "internal",
    "Cannot forward the body: it was already read. Put the proxy in front of any body parser",
  );
}

/**
 * Refuses every transfer coding but `chunked`, which the server has decoded. Any other would be lost with its header
 * field (RFC 9112 §6.1).
 */
function checkCoding(coding: string | null): void {
  if (coding === null || coding.toLowerCase() === "chunked") return;
  throw new ProxyError(
    "bad_request",
    "Cannot forward the body: its transfer coding is not supported, expected Transfer-Encoding: chunked",
  );
}

/** Waits for the first bytes within the idle timeout. Returns the same body, or `null` if there is nothing in it. */
function waitForBytes(
  body: FlowBody,
  { config: { idleTimeoutMs }, deadlines }: Timed,
): Promise<FlowBody | null> {
  return new Promise((resolve, reject) => {
    const deadline = deadlines.idle.start(() => {
      const failure = uploadStalled(idleTimeoutMs);
      reject(failure);
      body.cancel(failure);
    });
    const settle = (first: Uint8Array | undefined) => resolve(first || body.trailers ? body : null);
    const fail = (failure: unknown) => reject(readFault(failure));
    void body.peek().then(settle, fail).finally(() => deadline.stop());
  });
}

/** Maximum bytes, unless the page sets a lower limit. */
export const MAX_POSTED_BYTES: number = 8 * 1024 * 1024;

/**
 * Reads a posted body whole, within the limits of uploads.
 *
 * @param mostBytes the most bytes that the page accepts
 * @throws {ProxyError} `request_too_large` beyond that or `maxRequestBytes`, `request_timeout`, `caller_gone`
 */
export async function readPosted(
  { incoming, config, deadlines }: Pick<Exchange, "incoming" | "config" | "deadlines">,
  mostBytes: number = MAX_POSTED_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = incoming;
  const { idleTimeoutMs, maxRequestBytes } = config;
  const maxBytes = Math.min(maxRequestBytes || mostBytes, mostBytes);
  checkLength(incoming.headers, maxBytes);
  if (!isStreaming(body)) {
    if (body && body.length > maxBytes) throw uploadTooLarge(maxBytes);
    return body ?? new Uint8Array();
  }
  checkUntouched(incoming);
  const watched = watchBody(body, {
    idle: deadlines.idle,
    maxBytes,
    stalled: () => uploadStalled(idleTimeoutMs),
    tooLarge: () => uploadTooLarge(maxBytes),
  });
  return await readWhole(watched).catch((failure) => {
    throw readFault(failure);
  });
}

/**
 * Tells the target that the caller accepts trailers, with the connection option that this needs (RFC 9110 §10.1.4).
 *
 * @param written the field name as the caller wrote it
 */
export function askForTrailers(
  headers: FieldWriter,
  { takesTrailers, headers: received }: Incoming,
  written: unknown,
): void {
  if (!takesTrailers || received.has("upgrade") || headers.has("te")) return;
  headers.append("te", "trailers", written);
  headers.append("connection", "TE", "Connection");
}

/** Makes the function that chooses the trailers of a request that go on. What parts keep back in front of the body, they keep back behind it. */
export function chooseSentTrailers({ parts: { strip: parts } }: Exchange): typeof chooseRequestTrailers {
  if (parts.length === 0) return chooseRequestTrailers;
  return (trailers) => {
    const chosen = chooseRequestTrailers(trailers);
    for (const strip of parts) strip(chosen, "");
    return chosen;
  };
}
