/**
 * Refuses what a browser fetches ahead of its time: nobody has asked for it yet.
 * @module
 * @see Fetch, `Sec-Purpose`
 */

import { hasAddress } from "../address/reserved-paths.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { ProxyError } from "../http/error.ts";

/**
 * Refuses prefetches, signed or not. `?url=` is allowed, because it only reads.
 *
 * @throws {ProxyError} `forbidden`
 */
export function refusePrefetch({ incoming, path }: Exchange): void {
  if (!/^prefetch\b/i.test(incoming.headers.get("sec-purpose") ?? "") || hasAddress(path)) return;
  throw new ProxyError("forbidden", "Prefetch requests are refused here");
}
