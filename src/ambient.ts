/**
 * Whether the cookies that a browser holds for the proxy's origin may go to a target (contract 4, ambient cookies).
 * @module
 */

import type { Config } from "./config.ts";
import type { Target } from "./exchange.ts";
import { readCookieBase, readHeaderBase, readLabelBase } from "./selectors.ts";

/**
 * True when they may. They belong to one host: the stored one, else the one of the host label, else the one in the
 * header; where there is none of these, to nobody, and only a caller that is no browser (no `Sec-Fetch-Site`) sends them.
 */
export function mayReceiveCookies(headers: Headers, host: string, target: Target, config: Config): boolean {
  if (!headers.has("cookie")) return false;
  try {
    const owner = readCookieBase(headers) ?? readLabelBase(host, config) ?? readHeaderBase(headers);
    return owner ? owner.origin.origin === target.origin.origin : !headers.has("sec-fetch-site");
  } catch {
    return false;
  }
}
