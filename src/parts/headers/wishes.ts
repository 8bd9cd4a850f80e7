/**
 * `proxy_headers` and `proxy_seal`: what a caller asks of the proxy in addition to the request itself (rules 14.1 and
 * 14.3). Their reader is loaded with the first request that has one.
 * @module
 */

import type { Exchange } from "../../core/exchange/exchange.ts";
import type { Overrides } from "../../core/way/overrides.ts";

/** The values of the two headers as they arrived, one for each line; absent in almost every request. */
export interface Steering {
  overrides?: string[];
  seals?: string[];
}

/** What the two headers ask for. */
export interface Wishes {
  /** Headers to set or remove in the outgoing request. */
  overrides?: Overrides | undefined;
  /** True if the response is to be sealed. */
  isSealed: boolean;
}

/** The wishes of a request without these headers, as almost every request is. */
export const NO_WISHES: Wishes = { isSealed: false };

/** True if there is something to read. */
export function hasWishes({ overrides, seals }: Steering): boolean {
  return overrides !== undefined || seals !== undefined;
}

/** Stores a line of one of the two headers. */
export function noteSteering(steering: Steering, name: string, value: string): undefined {
  if (name.endsWith("seal")) (steering.seals ??= []).push(value);
  else (steering.overrides ??= []).push(value);
}

/** Reads only the seal of a request whose other headers do not count, because its `arg` describes them all. */
export function readSeals({ incoming: { headers } }: Pick<Exchange, "incoming">): Steering {
  const seals = [headers.get("proxy_seal"), headers.get("proxy-seal")].filter((value) => value !== null);
  return seals.length > 0 ? { seals } : {};
}
