/**
 * The portable sender over `fetch`, for servers that provide no sender.
 * @module
 */

import { toStandard } from "../http/body.ts";
import { toAbortSignal } from "../http/cancellation.ts";
import { refuseConnectionLogin } from "../http/connection-login.ts";
import { refuseUnsentBody } from "../http/upload-fault.ts";
import { fromStream } from "../http/read-along.ts";
import type { TargetResponse } from "../exchange/exchange.ts";
import type { Outgoing } from "../runtime.ts";

/** Options that some implementations of `fetch` have beyond the standard; others ignore them. */
interface FetchOptions extends RequestInit {
  /** A body may be a stream. */
  duplex: "half";
  /** Passes the response bytes on unchanged; two names for it. */
  decompress: false;
  encodeResponseBody: "manual";
  /** Ignores proxies in the environment: they would dial unchecked addresses. */
  proxy: false;
}

const EXTRAS = {
  redirect: "manual",
  duplex: "half",
  decompress: false,
  encodeResponseBody: "manual",
  proxy: false,
} as const satisfies FetchOptions;

/**
 * Sends with the global `fetch`. It can't dial a given address, and the runtime may normalise the path.
 *
 * It offers no content coding, because `fetch` may decode the ones it knows. If the response has one anyway, its first
 * bytes show whether it was decoded, so the headers stay true.
 */
export async function sendWithFetch(
  { method, origin, path, headers, body, signal }: Outgoing,
): Promise<TargetResponse> {
  refuseConnectionLogin(headers.get("authorization"));
  refuseUnsentBody(method, body);
  const outgoing = new Headers([...headers]);
  outgoing.set("accept-encoding", "identity");
  const options: FetchOptions = {
    method,
    headers: outgoing,
    body: toStandard(body),
    signal: toAbortSignal(signal),
    ...EXTRAS,
  };
  const { status, statusText, headers: answered, body: stream } = await fetch(origin.origin + path, options);
  const coding = answered.get("content-encoding");
  const received = stream && fromStream(stream);
  if (!coding || !received || method === "HEAD" || !KNOWN_CODINGS.test(coding)) {
    return { status, statusText, headers: answered, body: received };
  }
  const first = await received.peek();
  const truth = new Headers(answered);
  if (isDecoded(coding, first ?? new Uint8Array())) {
    truth.delete("content-encoding");
    truth.delete("content-length");
  }
  return { status, statusText, headers: truth, body: received };
}

/** The codings that `fetch` may decode, alone or in a list. */
const KNOWN_CODINGS = /^\s*(?:x-gzip|gzip|deflate|br|zstd)(?:\s*,\s*(?:x-gzip|gzip|deflate|br|zstd))*\s*$/i;

const beginWith = (...magic: number[]) => (first: Uint8Array) =>
  magic.every((byte, at) => first[at] === byte);

/** How to recognise the first bytes of a coding (RFC 1952 §2.3.1, RFC 1950 §2.2, RFC 8878 §3.1.1). */
const BEGINNINGS = new Map<string, (first: Uint8Array) => boolean>([
  ["gzip", beginWith(0x1f, 0x8b)],
  ["x-gzip", beginWith(0x1f, 0x8b)],
  ["deflate", ([a = 0, b = 0]) => (a & 0x0f) === 8 && (a * 256 + b) % 31 === 0],
  ["zstd", beginWith(0x28, 0xb5, 0x2f, 0xfd)],
]);

/**
 * True if `fetch` decoded the body. Brotli and lists of codings have no known first bytes; for those, a `Request` with
 * the standard's `duplex` marks a `fetch` that decodes.
 */
function isDecoded(coding: string, first: Uint8Array): boolean {
  const begins = BEGINNINGS.get(coding.trim().toLowerCase());
  return begins && first.length > 1 ? !begins(first) : "duplex" in Request.prototype;
}
