/**
 * The diagnostic object, for requests without a target (specification 2.3).
 * @module
 */

import { answerJson } from "../http/answer.ts";
import type { Reply } from "../http/reply.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** Makes the diagnostic object: exactly its six fields. */
export function answerDiagnostic({ incoming, caller, path }: Exchange): Reply {
  return answerJson({
    msg: "Please set host first!",
    method: incoming.method,
    host: caller.host,
    path: path.split("?", 1)[0],
    ip: caller.address,
    "user-agent": incoming.headers.get("user-agent") ?? "",
  });
}
