/**
 * A sealed response: the body as the target sent it, and its head where browsers ignore it.
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
import { changeAnswer } from "../gate/answer-rules.ts";

/** Fields that a browser needs to read the body: it would not decode it without its content coding. */
const BODY_FIELDS = ["content-encoding", "content-length"];

/**
 * The fields of a response as the target sent them, without those that end at the next hop, and changed as the table says.
 *
 * @param origin the target that the caller named
 */
export function readTrueHead(
  answer: Pick<Answer, "headers" | "finalAddress" | "hadKey">,
  { table }: Pick<Exchange, "table">,
  origin: URL,
): Fields {
  const { headers } = answer;
  const head = new Fields();
  const nominated = readNominated(headers.get("connection"));
  headers.forEach((value, name, written) => {
    if (!isHopByHop(name) && !nominated?.has(name)) head.append(name, value, written);
  });
  if (table) changeAnswer(head, table, answer, origin);
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
 * @param status the one that goes out; the response's own stands in the sealed head
 * @param changed what the proxy changed, if the head shall say so
 */
export function sealReply(reply: Reply, status: number, changed?: SealedHead["changed"]): Reply {
  const { statusText = "", body } = reply;
  // Clients compare the names of a sealed head, so only the console, which shows them, gets them as they were written.
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
    // Two different lines are joined to one value, which is no number.
    if (value !== null && (name !== "content-length" || /^\d+$/.test(value))) headers.set(name, value);
  }
  return { status, headers, body, sealed: reply.status };
}
