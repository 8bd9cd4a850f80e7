/**
 * Step 1: selects the caller's target by header, cookie or host label.
 * @module
 */

import { type Address, formatAddress, type Selector } from "../address/address.ts";
import type { Caller } from "../who/caller.ts";
import type { Config } from "../settings/config.ts";
import { ProxyError } from "../http/error.ts";
import type { Target } from "../exchange/exchange.ts";
import { type Carried, isBase } from "../who/host-selectors.ts";

/** The part of an exchange that the choice depends on. */
interface Choice {
  readonly carried: Carried;
  readonly caller: Pick<Caller, "isBrowser">;
  readonly config: Pick<Config, "target">;
}

/**
 * Selects the target of a request by the host selectors. The first match wins. A malformed selector is an error; it is
 * not skipped.
 *
 * @param exchange the caller's selectors; in a browser any label's page may have set the cookie
 * @param path path and query of the request; it is appended to the base
 * @returns `undefined` if there is no selector and no default target
 * @throws {ProxyError} `bad_request` naming the header, cookie or label; `forbidden` for a cookie that another label
 * may have set
 * @see specification 4.1
 */
export function selectTarget(
  { carried, caller, config }: Choice,
  path: string,
): Target | undefined {
  return extend("header", carried.header, path) ??
    extend("cookie", caller.isBrowser ? checkCookie(carried) : carried.cookie, path) ??
    extend("label", carried.label, path) ?? extend("preset", config.target, path);
}

/** In a browser a cookie never overrides a host label: any label's page can set a cookie for all labels (RFC 6265 §8.6). */
function checkCookie({ cookie, label }: Carried): Address | ProxyError | undefined {
  if (!isBase(cookie) || label === undefined) return cookie;
  if (!isBase(label) || formatAddress(label) === formatAddress(cookie)) return isBase(label) ? cookie : label;
  return new ProxyError(
    "forbidden",
    "Cannot use cookie proxy_host on a host label: a page of another label may have set it. " +
      "Use the proxy's plain address, or clear the cookie with /__proxy__/?host=",
  );
}

function extend(
  selector: Selector,
  base: Address | ProxyError | undefined,
  path: string,
): Target | undefined {
  if (base instanceof ProxyError) throw base;
  return base && { selector, origin: base.origin, basePath: base.path, path: base.path + path };
}
