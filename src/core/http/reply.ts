/**
 * A response to the caller, and its conversion to a standard `Response`.
 * @module
 */

import { type Body, discard, type StandardBody, toStandard } from "./body.ts";
import type { FieldReader, FieldWriter } from "./fields.ts";
import { cleanReason } from "./headers.ts";

/**
 * A WebSocket that the target has accepted. Its form depends on the runtime. The entry joins the caller's side to it.
 *
 * @internal
 */
export interface TargetSocket {
  /** Closes it if it will not be joined. */
  cancel(): void;
}

/**
 * A response, from the target or the proxy itself. An entry may use it directly.
 *
 * @internal
 */
export interface Reply {
  readonly status: number;
  /**
   * The target's reason phrase, which may be empty. Absent in the proxy's own responses, which use the standard one.
   */
  readonly statusText?: string;
  readonly headers: FieldWriter;
  readonly body: Body;
  /** With status 101: the target's side of the WebSocket. */
  readonly socket?: TargetSocket;
  /** In the response to an `arg`: the fields as the target sent them. Absent if no target answered. */
  readonly received?: FieldReader | undefined;
  /** In a sealed response: the target's status, for the record. */
  readonly sealed?: number;
}

/** Options that some platforms have beyond the standard; others ignore them. */
interface ResponseOptions extends ResponseInit {
  /** The body is already encoded, as the fields say. */
  encodeBody: "manual";
}

/** Statuses without a body (Fetch §2.2.3). */
export const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * Converts a reply for standard servers. No other function in the core makes a `Response`.
 *
 * @param write converts the body to the standard form, for runtimes with their own streams
 */
export function toResponse(
  reply: Reply,
  { method }: Pick<Request, "method">,
  write: (body: Body) => StandardBody = toStandard,
): Response {
  const { status, headers, body } = reply;
  // A custom `send` may give any text, of which `Response` refuses some.
  const statusText = reply.statusText && cleanReason(reply.statusText);
  const options: ResponseOptions = { status, statusText, headers: toInit(headers), encodeBody: "manual" };
  if (method !== "HEAD") return new Response(write(body), options);
  discard(body);
  const hasLength = headers.has("content-length") || NULL_BODY_STATUSES.has(status);
  return new Response(hasLength ? null : createSilence(), options);
}

/** The cheapest form for `Response`: an object, unless a name is repeated or exists on every object. */
function toInit(headers: FieldReader): Record<string, string> | [name: string, value: string][] {
  const fields: Record<string, string> = {};
  let isTwice = false;
  headers.forEach((value, name) => {
    if (name in fields) isTwice = true;
    fields[name] = value;
  });
  return isTwice ? [...headers] : fields;
}

/**
 * An empty body with no `Content-Length`. Without a body many servers send a length of 0, which would be wrong for GET
 * (RFC 9110 §9.3.2).
 */
function createSilence(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 });
}
