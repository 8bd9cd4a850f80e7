/**
 * The sender for Workers: the platform's `fetch`, with raw bytes and no added fields.
 * @module
 */

import { type Body, isStreaming } from "../../core/http/body.ts";
import { ProxyError } from "../../core/http/error.ts";
import { toAbortSignal } from "../../core/http/cancellation.ts";
import { refuseConnectionLogin } from "../../core/http/connection-login.ts";
import { refuseUnsentBody } from "../../core/http/upload-fault.ts";
import { takeBody } from "../../core/exchange/web-standard.ts";
import type { TargetResponse } from "../../core/exchange/exchange.ts";
import type { Outgoing, Upstream } from "../../core/runtime.ts";
import { pipeThroughPlatform } from "./platform-streams.ts";
import { readFields } from "./worker-fields.ts";

/** Options of a Worker's `fetch` that the types lack. */
interface FetchOptions extends RequestInit {
  encodeResponseBody: "manual";
  cf: { cacheTtl: number };
}

// Cloudflare's edge would cache addresses that look like files, and `cache: "no-store"` would add fields to the request.
const HAND_ON: FetchOptions = { redirect: "manual", encodeResponseBody: "manual", cf: { cacheTtl: -1 } };

/** Sends with the platform's `fetch`, which chooses the address itself. */
export async function sendFromWorker(outgoing: Outgoing): Promise<Upstream> {
  return readResponse(await fetchTarget(outgoing));
}

/** The platform's response, which may carry a WebSocket. */
export function fetchTarget(outgoing: Outgoing): Promise<Response> {
  return fetch(buildRequest(outgoing), HAND_ON);
}

/** Converts the platform's response for the core. */
export function readResponse({ status, statusText, headers, body }: Response): TargetResponse {
  try {
    return { status, statusText, headers: readFields(headers, body !== null), body: takeBody(body) };
  } catch (error) {
    void body?.cancel().catch(() => {});
    throw error;
  }
}

/** Makes the request for `fetch`. Refuses requests that `fetch` would change. */
function buildRequest({ method, origin, path, headers, body, signal }: Outgoing): Request {
  refuseConnectionLogin(headers.get("authorization"));
  refuseUnsentBody(method, body);
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

/** `Request` throws for a method that workerd does not know. */
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
