/**
 * Turns a request into what the builder holds.
 * @module
 */

import type { Draft } from "../builder/draft.ts";
import type { PlainRequest } from "../share/plain-request.ts";
import { readField } from "./captured.ts";

/** The draft of a request; its body stays byte for byte. Redirects are shown, as they were when it was captured. */
export function draftRequest({ method, url, headers, body }: PlainRequest): Draft {
  const isJson = /^application\/(?:[^;]*\+)?json\b/i.test(readField(headers, "content-type"));
  const bytes = typeof body === "string" ? body : body && new Uint8Array(body);
  const kind = bytes === undefined ? "none" : isJson ? "json" : "raw";
  return { method, address: url, headers, kind, body: bytes ?? "", follow: false };
}
