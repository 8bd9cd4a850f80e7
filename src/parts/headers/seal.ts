/**
 * A target's response as `proxy_seal` asks for it (rule 14.3).
 * @module
 */

import { formatAddress } from "../../core/address/address.ts";
import type { Answer, Exchange, Target } from "../../core/exchange/exchange.ts";
import type { Reply } from "../../core/http/reply.ts";
import { limitBody } from "../../core/way/answer-body.ts";
import { sealReply } from "../../core/way/sealed-reply.ts";
import { readTrueHead } from "../../core/way/true-head.ts";

/** Seals a target's response. Nothing in it is for the browser, so nothing in its head is mapped, stored or marked. */
export function sealAnswer(answer: Answer, exchange: Exchange, target: Target, isWithBody: boolean): Reply {
  const { status, statusText = "", finalAddress } = answer;
  const headers = readTrueHead(answer, exchange, target.origin);
  headers.delete("x-final-url");
  if (finalAddress) headers.set("x-final-url", formatAddress(finalAddress));
  const body = isWithBody ? limitBody(answer, headers, exchange, target) : null;
  return sealReply({ status, statusText, headers, body }, 200);
}
