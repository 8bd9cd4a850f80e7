/**
 * `proxy_headers` and `proxy_seal`: what a caller asks of the proxy beside the request itself (rules 14.1 and 14.3). What reads
 * them is loaded with the first request that has one.
 * @module
 */

import type { Exchange } from "../../core/exchange/exchange.ts";
import type { Overrides } from "./overrides.ts";

/** The values of the two fields as they arrived, one for each line; absent in almost every request. */
export interface Steering {
  overrides?: string[];
  seals?: string[];
}

/** What they ask for. */
export interface Wishes {
  /** Fields to set or remove in the outgoing request. */
  overrides?: Overrides | undefined;
  /** True if the response shall be sealed. */
  isSealed: boolean;
}

/** The wishes of almost every request. */
export const NO_WISHES: Wishes = { isSealed: false };

/** True if there is something to read. */
export function hasWishes({ overrides, seals }: Steering): boolean {
  return overrides !== undefined || seals !== undefined;
}

/** Notes a line of one of the two fields. */
export function noteSteering(steering: Steering, name: string, value: string): undefined {
  if (name.endsWith("seal")) (steering.seals ??= []).push(value);
  else (steering.overrides ??= []).push(value);
}

/** Notes the seal of a request whose other fields do not count, because an `arg` describes them all. */
export function readSeals({ incoming: { headers } }: Pick<Exchange, "incoming">): Steering {
  const seals = [headers.get("proxy_seal"), headers.get("proxy-seal")].filter((value) => value !== null);
  return seals.length > 0 ? { seals } : {};
}
