/**
 * Makes the proxy's own responses: pages and files, header fields only, JSON, and plain text.
 * @module
 */

import { encodeUtf8 } from "./text.ts";
import type { Body } from "./body.ts";
import { Fields } from "./fields.ts";
import type { Reply } from "./reply.ts";

/**
 * Makes a response. A text body gets a `Content-Length`. The sender of the response leaves the body out for HEAD.
 *
 * @param fields lower-case names
 */
export function answerWith(
  status: number,
  fields: Iterable<readonly [name: string, value: string]>,
  content: string | Body = null,
): Reply {
  const headers = new Fields(fields);
  if (typeof content !== "string") return { status, headers, body: content };
  const body = encodeUtf8(content);
  headers.set("content-length", String(body.length));
  return { status, headers, body };
}

/** Makes a JSON response without caching and content sniffing. */
export function answerJson(
  value: unknown,
  status = 200,
  fields: Iterable<readonly [name: string, value: string]> = [],
): Reply {
  const reply = answerWith(status, fields, JSON.stringify(value));
  reply.headers.set("content-type", "application/json");
  reply.headers.set("cache-control", "no-store");
  reply.headers.set("x-content-type-options", "nosniff");
  return reply;
}

/** Makes a plain-text response, with the version that Prometheus expects. */
export function answerText(text: string): Reply {
  const fields = Object.entries({
    "content-type": "text/plain; version=0.0.4; charset=utf-8",
    "cache-control": "no-store",
  });
  return answerWith(200, fields, text);
}
