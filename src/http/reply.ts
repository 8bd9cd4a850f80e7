/**
 * An answer on its way to the caller, and the `Response` that it is to standard servers.
 * @module
 */

import { type Body, discard, type StandardBody, toStandard } from "./body.ts";
import type { FieldReader, FieldWriter } from "./fields.ts";

/**
 * A WebSocket that the target has accepted. Its form is the runtime's own; the entry joins the caller's side to it.
 *
 * @internal
 */
export interface TargetSocket {
  /** Gives it up where it will not be joined. */
  cancel(): void;
}

/**
 * An answer, the target's or the proxy's own. An entry may take it as it is.
 *
 * @internal
 */
export interface Reply {
  readonly status: number;
  /** The target's reason, which may be empty; absent in the proxy's own answers, which have the standard one. */
  readonly statusText?: string;
  readonly headers: FieldWriter;
  readonly body: Body;
  /** With status 101: what the caller's side is joined to. */
  readonly socket?: TargetSocket;
}

/** What some platforms take beyond the standard; all others leave it aside. */
interface ResponseOptions extends ResponseInit {
  /** The bytes are coded already, as the fields say. */
  encodeBody: "manual";
}

/** Statuses whose answers have no body (Fetch §2.2.3). */
export const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * An answer to a request as standard servers take it: nothing else in the core makes a `Response`.
 *
 * @param write gives the body as standard functions take it, where a runtime has streams of its own
 */
export function toResponse(
  reply: Reply,
  { method }: Pick<Request, "method">,
  write: (body: Body) => StandardBody = toStandard,
): Response {
  const { status, statusText, headers, body } = reply;
  const options: ResponseOptions = { status, statusText, headers: toInit(headers), encodeBody: "manual" };
  if (method !== "HEAD") return new Response(write(body), options);
  discard(body);
  const hasLength = headers.has("content-length") || NULL_BODY_STATUSES.has(status);
  return new Response(hasLength ? null : createSilence(), options);
}

/** As `Response` takes them most cheaply: an object, unless a name comes twice or is one that every object has. */
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
 * Nothing, of a length that nobody says. Of no body at all many servers say that its length is 0, and that is not true of
 * what GET would give (RFC 9110 §9.3.2).
 */
function createSilence(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 });
}
