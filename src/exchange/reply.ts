/**
 * An answer on its way to the caller, and the `Response` that it is to standard servers.
 * @module
 */

import { type Body, toStandard } from "../http/body.ts";
import type { FieldReader, FieldWriter } from "../http/fields.ts";
import type { TargetSocket } from "./runtime.ts";

/** The part of a `Response` that the core makes. An entry may take it as it is. */
export interface Reply extends Pick<Response, "status" | "statusText"> {
  readonly headers: FieldWriter;
  readonly body: Body;
  /** With status 101: what the caller's side is joined to. */
  readonly socket?: TargetSocket;
}

/** What `Response` takes on some runtime or other, and the types don't know. */
interface ResponseOptions extends ResponseInit {
  /** workerd: sends the bytes as they are, whatever coding the fields name. */
  encodeBody: "manual";
}

const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** An answer to a request as standard servers take it. */
export function toResponse(reply: Reply | Response, { method }: Pick<Request, "method">): Response {
  if (reply instanceof Response) return reply;
  const { status, statusText, headers, body } = reply;
  const options: ResponseOptions = { status, statusText, headers: toInit(headers), encodeBody: "manual" };
  const hasLength = headers.has("content-length") || NULL_BODY_STATUSES.has(status);
  return new Response(method === "HEAD" && !hasLength ? createSilence() : toStandard(body), options);
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
 * Nothing, of a length that nobody says. Of no body at all `Bun.serve` (1.4) and `Deno.serve` (2.9) say that its length
 * is 0, and that is not true of what GET would give (RFC 9110 §9.3.2).
 */
function createSilence(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 });
}
