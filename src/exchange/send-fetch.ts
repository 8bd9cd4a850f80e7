/**
 * The portable sender, over `fetch` alone: for servers that lend no sender of their own.
 * @module
 */

import { toStandard } from "../http/body.ts";
import { toAbortSignal } from "../http/cancellation.ts";
import { fromStream } from "../http/read-along.ts";
import type { Answer } from "./exchange.ts";
import type { Outgoing } from "./runtime.ts";

/** What `fetch` takes on some runtime or other, and the types don't know. */
interface FetchOptions extends RequestInit {
  duplex: "half";
  /** Bun: hands the bytes on as they came. */
  decompress: false;
  /** Bun: asks no proxy of its environment, which would dial what nobody judged. */
  proxy: false;
  /** workerd: hands the bytes on as they came. */
  encodeResponseBody: "manual";
}

/**
 * Sends with the global `fetch`. It can't dial a given address, and leaves the spelling of the path to the runtime.
 *
 * No coding is offered, because Node's `fetch` decodes every one it knows; Bun, Deno and workerd then hand on what came.
 * A target that sends one all the same is told apart by its bytes, so the headers stay true.
 */
export async function sendWithFetch(
  { method, origin, path, headers, body, signal }: Outgoing,
): Promise<Answer> {
  const outgoing = new Headers([...headers]);
  outgoing.set("accept-encoding", "identity");
  const options: FetchOptions = {
    method,
    headers: outgoing,
    body: toStandard(body),
    signal: toAbortSignal(signal),
    redirect: "manual",
    duplex: "half",
    decompress: false,
    proxy: false,
    encodeResponseBody: "manual",
  };
  const { status, statusText, headers: answered, body: stream } = await fetch(
    origin.origin + path,
    options,
  );
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

/** The codings that some runtime's `fetch` decodes, alone or in a row. */
const KNOWN_CODINGS = /^\s*(?:x-gzip|gzip|deflate|br|zstd)(?:\s*,\s*(?:x-gzip|gzip|deflate|br|zstd))*\s*$/i;

/** How the bytes of a coding begin (RFC 1952 §2.3.1, RFC 1950 §2.2, RFC 8878 §3.1.1). */
const BEGINNINGS = new Map<string, (first: Uint8Array) => boolean>([
  ["gzip", ([a, b]) => a === 0x1f && b === 0x8b],
  ["x-gzip", ([a, b]) => a === 0x1f && b === 0x8b],
  ["deflate", ([a = 0, b = 0]) => (a & 0x0f) === 8 && (a * 256 + b) % 31 === 0],
  ["zstd", ([a, b, c, d]) => a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd],
]);

/** Brotli and lists of codings show no beginning; of the runtimes only Node decodes, and only its `Request` has `duplex`. */
function isDecoded(coding: string, first: Uint8Array): boolean {
  const begins = BEGINNINGS.get(coding.trim().toLowerCase());
  return begins && first.length > 1 ? !begins(first) : "duplex" in Request.prototype;
}
