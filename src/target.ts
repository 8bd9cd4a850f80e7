/**
 * Step 1: which target the caller means, by header, cookie or host label.
 * @module
 */

import type { FieldReader } from "./fields.ts";
import { type Address, formatAddress } from "./address.ts";
import type { Config } from "./config.ts";
import { ProxyError } from "./error.ts";
import type { Target } from "./exchange.ts";
import { isFromBrowser } from "./headers.ts";
import type { Selector } from "./selector.ts";
import { readCookieBase, readHeaderBase, readLabelBase } from "./selectors.ts";

/**
 * Chooses the target of a request by the host selectors; the first match wins, and a malformed one never falls through.
 *
 * @param host the Host that the request arrived with
 * @param path path and query of the request; it is appended to the base
 * @returns `undefined` when none of the three is there and no target is preset
 * @throws {ProxyError} `bad_request` naming the header, cookie or label; `forbidden` for a cookie that may be another label's
 * @see specification 4.1
 */
export function selectTarget(
  headers: FieldReader,
  host: string,
  path: string,
  config: Config,
): Target | undefined {
  return extend("header", readHeaderBase(headers), path) ??
    extend("cookie", readStored(headers, host, config), path) ??
    extend("label", readLabelBase(host, config), path) ?? extend("preset", config.target, path);
}

/** Any label's page can set a cookie for all labels (RFC 6265 §8.6), so in a browser none leads away from one. */
function readStored(headers: FieldReader, host: string, config: Config): Address | undefined {
  const base = readCookieBase(headers);
  if (!base || !isFromBrowser(headers)) return base;
  const own = readLabelBase(host, config);
  if (!own || formatAddress(own) === formatAddress(base)) return base;
  throw new ProxyError(
    "forbidden",
    "Cannot use cookie proxy_host on a host label: a page of another one may have set it, expected none",
  );
}

function extend(selector: Selector, base: Address | undefined, path: string): Target | undefined {
  return base && { selector, origin: base.origin, basePath: base.path, path: base.path + path };
}
