/**
 * A response as the target sent it, for those who may see all of its headers.
 * @module
 */

import { formatAddress } from "../address/address.ts";
import type { Exchange, Target, TargetResponse } from "../exchange/exchange.ts";
import { changeResponse } from "../exchange/hooks.ts";
import { Fields } from "../http/fields.ts";
import { isHopByHop, readNominated } from "../http/headers.ts";
import type { Reply } from "../http/reply.ts";
import { limitBody } from "./response-body.ts";

/**
 * The headers of a response as the target sent them, without hop-by-hop headers, and changed as the parts say.
 *
 * @param origin the target that the caller named
 */
export function readTrueHead(
  response: Pick<TargetResponse, "headers" | "finalAddress" | "hadKey">,
  exchange: Exchange,
  origin: URL,
): Fields {
  const { headers } = response;
  const head = new Fields();
  const nominated = readNominated(headers.get("connection"));
  headers.forEach((value, name, written) => {
    if (!isHopByHop(name) && !nominated?.has(name)) head.append(name, value, written);
  });
  changeResponse(exchange, head, response, origin);
  return head;
}

/** A target's response that is to be sealed: nothing in its head is mapped, stored or marked, because no browser sees it. */
export function readTrueResponse(
  response: TargetResponse,
  exchange: Exchange,
  target: Target,
  isWithBody: boolean,
): Reply {
  const { status, statusText, finalAddress } = response;
  const headers = readTrueHead(response, exchange, target.origin);
  headers.delete("x-final-url");
  if (finalAddress) headers.set("x-final-url", formatAddress(finalAddress));
  return {
    status,
    statusText,
    headers,
    body: isWithBody ? limitBody(response, headers, exchange, target) : null,
  };
}
