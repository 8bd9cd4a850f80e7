/**
 * A sealed response: the body as the target sent it, and the target's head in a header that browsers ignore.
 *
 * A script cannot see `Set-Cookie` or a 3xx of a plain response, and the browser stores cookies, follows redirects and
 * asks for passwords by itself. In a sealed response there is nothing to act on.
 * @module
 */

import { formatAddress } from "../../core/address/address.ts";
import { encodeHead, type SealedHead } from "../../core/address/sealed-head.ts";
import { Fields, linesOf } from "../../core/http/fields.ts";
import { HEAD_FIELD, isHopByHop, readNominated } from "../../core/http/headers.ts";
import type { Reply } from "../../core/http/reply.ts";
import { limitBody } from "../../core/way/answer-body.ts";
import type { Building } from "../../core/way/answer-mapping.ts";
import type { Answer, Exchange } from "../../core/exchange/exchange.ts";
import { changeAnswer } from "../../core/exchange/hooks.ts";

/** Headers that a browser needs to read the body: without the content coding it would not decode the body. */
const BODY_FIELDS = ["content-encoding", "content-length"];

/**
 * The headers of a response as the target sent them, without hop-by-hop headers, and changed as the table says.
 *
 * @param origin the target that the caller named
 */
export function readTrueHead(
  answer: Pick<Answer, "headers" | "finalAddress" | "hadKey">,
  { parts }: Pick<Exchange, "parts">,
  origin: URL,
): Fields {
  const { headers } = answer;
  const head = new Fields();
  const nominated = readNominated(headers.get("connection"));
  headers.forEach((value, name, written) => {
    if (!isHopByHop(name) && !nominated?.has(name)) head.append(name, value, written);
  });
  changeAnswer(parts, head, answer, origin);
  return head;
}

/** Seals a target's response. Nothing in it is for the browser, so nothing in its head is mapped, stored or marked. */
export function sealAnswer(answer: Answer, { exchange, target }: Building, isWithBody: boolean): Reply {
  const { status, statusText = "", finalAddress } = answer;
  const headers = readTrueHead(answer, exchange, target.origin);
  headers.delete("x-final-url");
  if (finalAddress) headers.set("x-final-url", formatAddress(finalAddress));
  const body = isWithBody ? limitBody(answer, headers, exchange, target) : null;
  return sealReply({ status, statusText, headers, body }, 200);
}

/**
 * Seals a response.
 *
 * @param status the status to send; the response's own status is in the sealed head
 * @param changed what the proxy changed, if the sealed head should say so
 */
export function sealReply(reply: Reply, status: number, changed?: SealedHead["changed"]): Reply {
  const { statusText = "", body } = reply;
  // Clients compare the names in a sealed head, so only the console, which shows them, gets their original case.
  const lines = changed ? linesOf(reply.headers) : [...reply.headers];
  const head = { status: reply.status, statusText, headers: lines, ...(changed && { changed }) };
  const headers = new Fields([
    ["content-type", "application/octet-stream"],
    ["content-security-policy", "sandbox; default-src 'none'"],
    ["cache-control", "no-store"],
    ["x-content-type-options", "nosniff"],
    [HEAD_FIELD, encodeHead(head)],
  ]);
  for (const name of body ? BODY_FIELDS : []) {
    const value = reply.headers.get(name);
    // Two different lines are joined into one value, which is not a number.
    if (value !== null && (name !== "content-length" || /^\d+$/.test(value))) headers.set(name, value);
  }
  return { status, headers, body, sealed: reply.status };
}
