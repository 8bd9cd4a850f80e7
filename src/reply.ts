/**
 * An answer on its way to the caller, and the `Response` that it is to standard servers.
 * @module
 */

import { type Body, toStandard } from "./body.ts";
import type { FieldWriter } from "./fields.ts";
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

/** An answer as standard servers take it. */
export function toResponse(reply: Reply | Response): Response {
  if (reply instanceof Response) return reply;
  const { status, statusText, headers, body } = reply;
  const options: ResponseOptions = { status, statusText, headers: [...headers], encodeBody: "manual" };
  return new Response(toStandard(body), options);
}
