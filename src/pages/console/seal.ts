/**
 * A sealed response for the console: the browser acts on nothing in it, but its status is the target's.
 * @module
 */

import type { Reply } from "../../http/reply.ts";
import { sealReply } from "../../exchange/seal.ts";

/** Seals a response; its body stays unchanged. */
export function sealAnswer(answer: Reply): Reply {
  const { status, statusText } = answer;
  return { ...sealReply(answer, status), ...(statusText !== undefined && { statusText }) };
}
