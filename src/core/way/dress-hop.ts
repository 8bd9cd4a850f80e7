/**
 * Adapts ("dresses") the request of one hop as the parts say, just before it is sent. Each hop starts anew, so nothing meant
 * for one target reaches another.
 * @module
 */

import type { Answer, Dress, Exchange, HopRequest } from "../exchange/exchange.ts";

/**
 * Returns the headers and the path that are sent to the target; `undefined` if the request is sent as it is.
 *
 * @throws {ProxyError} for what a part refuses
 */
export function dressHop(
  { origin, path, headers, addresses }: Omit<HopRequest, "isNamed" | "isWhole">,
  { isNamed, isWhole }: Pick<HopRequest, "isNamed" | "isWhole">,
  exchange: Exchange,
): Dress | undefined {
  const { parts: { dress: parts } } = exchange;
  if (parts.length === 0) return undefined;
  // Lists the members one by one, because a spread would slow every request.
  const asked: HopRequest = { origin, path, headers, addresses, isNamed, isWhole };
  let hop = asked;
  for (const dress of parts) hop = join(hop, dress(hop, exchange));
  return hop === asked ? undefined : hop;
}

/** The hop with a change. What several parts hide is all hidden. */
function join(hop: HopRequest, change: Dress | undefined): HopRequest {
  if (!change) return hop;
  const { redact: first } = hop;
  const { path, headers, redact: second, signing = hop.signing } = change;
  const redact = first && second ? (answer: Answer) => first(second(answer)) : first ?? second;
  const { origin, addresses, isNamed, isWhole } = hop;
  return { origin, path, headers, addresses, isNamed, isWhole, redact, signing };
}
