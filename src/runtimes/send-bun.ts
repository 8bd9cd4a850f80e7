/**
 * The sender for Bun: its native `fetch` without decoding, and `node:http` for what that can't send as it is.
 * @module
 */

import { isIP } from "node:net";
import { toAbortSignal, toStandard } from "../index.ts";
import type { Outgoing, Send, Upstream } from "../runtime.ts";
import { keepLength } from "./keep-length.ts";
import { createHttpSender } from "./send-http.ts";

// Bun 1.4 sends every method outside its own table as GET, and changes the case of some inside it. A DELETE that meets a
// connection which the target is just closing it sends again, and only who repeats a GET may do so unasked.
const NATIVE_METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "OPTIONS",
]);
// What the URL standard leaves alone: no dot segment, no leading `//` (Bun 1.4 drops one), nothing that it would encode.
const PLAIN_PATH = /^\/(?!\/)[\w\-.~!$&()*+,;=:@/%?]*$/;
const DOT_SEGMENT = /\/(?:\.|%2e)/i;
/** Bun runs this many native requests at once and queues the rest, unless the environment raises it. */
const NATIVE_REQUESTS = Number(process.env.BUN_CONFIG_MAX_HTTP_REQUESTS) || 256;

/** So many origins are remembered. */
const REMEMBERED_ORIGINS = 1_000;

/** Codes of a connection that was never made, so that nothing has left. */
const UNCONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ConnectionRefused",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);

/** Makes the sender. */
export function createBunSender(): Send {
  const sendHttp = createHttpSender({ reuseForAll: true });
  // Bun 1.4 ends a body that only its end delimits cleanly, however it ends: whoever sends such bodies is asked otherwise.
  const unframed = new Set<string>();
  let running = 0;
  return async (outgoing) => {
    const { host } = outgoing.origin;
    if (running >= NATIVE_REQUESTS - 8 || unframed.has(host) || !isNative(outgoing)) {
      return keepLength(await sendHttp(outgoing));
    }
    running += 1;
    try {
      const answer = readAnswer(await sendNative(outgoing));
      if (isUnframed(answer)) {
        if (unframed.size >= REMEMBERED_ORIGINS) unframed.clear();
        unframed.add(host);
      }
      return keepLength(answer);
    } finally {
      running -= 1;
    }
  };
}

/** True for what native `fetch` puts on the wire exactly; it adds `accept` and `user-agent` where they are missing. */
function isNative({ method, path, headers, body, addresses }: Outgoing): boolean {
  return NATIVE_METHODS.has(method) && PLAIN_PATH.test(path) && !DOT_SEGMENT.test(path) &&
    headers.has("user-agent") && headers.has("accept") &&
    (body === null || (method !== "GET" && method !== "HEAD" && (addresses?.length ?? 1) === 1));
}

/** Tries the judged addresses in turn until one accepts the connection. */
function sendNative(outgoing: Outgoing): Promise<Response> {
  const { addresses = [], signal } = outgoing;
  const sendFrom = (index: number): Promise<Response> => {
    const sent = sendTo(outgoing, addresses[index]);
    if (index + 1 >= addresses.length) return sent;
    return sent.catch((error: { code?: unknown }) => {
      if (signal.aborted || !UNCONNECTED.has(String(error.code))) throw error;
      return sendFrom(index + 1);
    });
  };
  return sendFrom(0);
}

function sendTo(outgoing: Outgoing, address: string | undefined): Promise<Response> {
  const { method, origin, path, headers, body, signal } = outgoing;
  return fetch((address ? dialled(origin, address) : origin.origin) + path, {
    method,
    headers: [...headers],
    body: toStandard(body),
    signal: toAbortSignal(signal),
    redirect: "manual",
    decompress: false,
    timeout: false,
    // Else Bun 1.4 asks the HTTP_PROXY of its environment, and nobody knows what that dials.
    // https://bun.com/reference/bun/FetchProxyOption
    proxy: false,
    tls: origin.protocol === "https:" && !isIP(origin.hostname) ? { serverName: origin.hostname } : undefined,
  } as RequestInit);
}

function readAnswer({ status, statusText, headers: answered, body: received }: Response): Upstream {
  // Of two framings the chunks are the true one (RFC 9112 §6.3); Bun shows both.
  if (answered.has("transfer-encoding")) answered.delete("content-length");
  return { status, statusText, headers: answered, body: received };
}

/** True for a body that lasts until the connection is closed (RFC 9112 §6.3). */
function isUnframed({ headers, body }: Upstream): boolean {
  return body !== null && !headers.has("content-length") && !headers.has("transfer-encoding");
}

/** The origin with the judged address in the place of the name; `host` in the headers still says the name. */
function dialled({ protocol, port }: URL, address: string): string {
  return `${protocol}//${isIP(address) === 6 ? `[${address}]` : address}${port && `:${port}`}`;
}
