/**
 * Which of `proxy_headers` and `proxy_seal` a request has (rules 14.1 and 14.3).
 * @module
 */

import type { Exchange } from "../../core/exchange/exchange.ts";
import type { Line } from "../../core/exchange/findings.ts";

/** The values of the two headers as they arrived, one for each line; absent in almost every request. */
export interface Steering {
  overrides?: string[];
  seals?: string[];
}

/** True if there is something to read. */
export function hasWishes({ overrides, seals }: Steering): boolean {
  return overrides !== undefined || seals !== undefined;
}

/** The values of lines of the two headers, by either of their names. */
export function sortLines(lines: readonly Line[]): Steering {
  const steering: Steering = {};
  for (const [name, value] of lines) {
    if (name.endsWith("seal")) (steering.seals ??= []).push(value);
    else (steering.overrides ??= []).push(value);
  }
  return steering;
}

/** Reads only the seal of a request whose other headers do not count, because its `arg` describes them all. */
export function readSeals({ incoming: { headers } }: Pick<Exchange, "incoming">): Steering {
  const seals = [headers.get("proxy_seal"), headers.get("proxy-seal")].filter((value) => value !== null);
  return seals.length > 0 ? { seals } : {};
}
