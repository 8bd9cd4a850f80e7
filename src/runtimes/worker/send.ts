/**
 * The sender for Workers: the platform's `fetch`, with raw bytes and no added fields.
 * @module
 */

import { type Body, isStreaming } from "../../http/body.ts";
import { ProxyError } from "../../http/error.ts";
import { toAbortSignal } from "../../http/cancellation.ts";
import { takeBody } from "../../exchange/web-standard.ts";
import type { Answer } from "../../exchange/exchange.ts";
import type { Outgoing, Upstream } from "../../exchange/runtime.ts";
import { pipeThroughPlatform } from "./platform-streams.ts";
import { readFields } from "./fields.ts";

/** What `fetch` takes on a Worker, and the types don't know. */
interface FetchOptions extends RequestInit {
  encodeResponseBody: "manual";
  cf: { cacheTtl: number };
}

// Cloudflare's edge would keep what looks like a file; `cache: "no-store"` would add fields to the request.
const HAND_ON: FetchOptions = { redirect: "manual", encodeResponseBody: "manual", cf: { cacheTtl: -1 } };

/** Sends with the `fetch` of the platform, which alone knows what it dials. */
export async function sendFromWorker(outgoing: Outgoing): Promise<Upstream> {
  return readAnswer(await fetchTarget(outgoing));
}

/** The answer as the platform gives it, for a WebSocket that comes with it. */
export function fetchTarget(outgoing: Outgoing): Promise<Response> {
  return fetch(buildRequest(outgoing), HAND_ON);
}

/** The answer as the core reads it. */
export function readAnswer({ status, statusText, headers, body }: Response): Answer {
  try {
    return { status, statusText, headers: readFields(headers), body: takeBody(body) };
  } catch (error) {
    void body?.cancel().catch(() => {});
    throw error;
  }
}

/** The request for `fetch`. What `fetch` would change is refused. */
function buildRequest({ method, origin, path, headers, body, signal }: Outgoing): Request {
  if (body !== null && (method === "GET" || method === "HEAD")) {
    const message = `Cannot forward a body with ${method}: this runtime cannot send one. Leave the body out`;
    throw new ProxyError("bad_request", message);
  }
  const controller = new AbortController();
  const source = toAbortSignal(signal);
  const abort = () => controller.abort(source.reason);
  if (source.aborted) abort();
  else source.addEventListener("abort", abort, { once: true });
  const options = {
    method,
    headers: [...headers],
    body: carryUpload(body, headers.get("content-length"), (failure) => controller.abort(failure)),
    signal: controller.signal,
  };
  const request = tryRequest(origin.origin + path, options);
  if (request?.method === method) return request;
  throw new ProxyError(
    "not_implemented",
    `Cannot send method ${method}: this runtime does not support it. Use another method`,
  );
}

/** A method that workerd does not know throws. */
function tryRequest(address: string, options: RequestInit): Request | undefined {
  try {
    return new Request(address, options);
  } catch {
    return undefined;
  }
}

function carryUpload(body: Body, length: string | null, onFailure: (failure: unknown) => void) {
  return isStreaming(body) ? pipeThroughPlatform(body.stream(), length, onFailure).readable : body;
}
