/**
 * `x-request-id` of the proxy's own answers: it leads to the line of the log.
 * @module
 */

import type { Reply } from "../http/reply.ts";
import type { RequestRecord } from "../exchange/record.ts";

/** Names the request in its answer. A target's own `x-request-id` passes untouched. */
export function writeRequestId({ headers }: Reply, { id }: Pick<RequestRecord, "id">): void {
  headers.set("x-request-id", id);
}
