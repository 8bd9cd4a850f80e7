/**
 * Whether the cookies that a browser holds for the proxy's origin may go to a target (contract 4, ambient cookies).
 * @module
 */

import type { FieldReader } from "./fields.ts";
import type { Config } from "./config.ts";
import { readCookie } from "./cookies.ts";
import type { Target } from "./exchange.ts";
import { isFromBrowser } from "./headers.ts";
import { readCookieBase, readHeaderBase, readLabelBase } from "./selectors.ts";

/**
 * True when they may. They belong to one host: the stored one, else the one of the host label (in a browser the label's
 * first: what is stored there may be another label's), else the one in the header. To a `url` elsewhere only a caller sends them that is no browser and has no stored host.
 */
export function mayReceiveCookies(
  headers: FieldReader,
  host: string,
  target: Target,
  config: Config,
): boolean {
  const cookie = headers.get("cookie");
  if (cookie === null) return false;
  const isBrowser = isFromBrowser(headers);
  const isFree = target.selector === "url" && !isBrowser;
  if (isFree && readCookie(cookie, "proxy_host").length === 0) return true;
  try {
    const stored = readCookieBase(headers);
    const labelled = readLabelBase(host, config);
    const owner = (isBrowser ? labelled ?? stored : stored ?? labelled) ?? readHeaderBase(headers) ??
      config.target;
    return owner?.origin.origin === target.origin.origin;
  } catch {
    return false;
  }
}
