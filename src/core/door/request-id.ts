/**
 * `x-request-id` of the proxy's own responses: it leads to the log line.
 * @module
 */

import type { Reply } from "../http/reply.ts";
import type { RequestRecord } from "../exchange/record.ts";

/** Writes the request's id into its response. A target's own `x-request-id` passes untouched. */
export function writeRequestId({ headers }: Reply, { id }: Pick<RequestRecord, "id">): void {
  headers.set("x-request-id", id);
}
