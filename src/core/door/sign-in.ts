/**
 * Moves the token from the address to a cookie, because a target's script could read the address.
 * @module
 */

import { prefersHtml } from "../http/accept.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { FieldReader } from "../http/fields.ts";
import { isNavigation } from "../http/headers.ts";
import type { Reply } from "../http/reply.ts";
import { keepToken } from "../may/token-duty.ts";
import { dropParameter, readQuery } from "../address/query.ts";

/**
 * Stores the token of an address that is opened in a browser.
 *
 * @returns the redirect to the same address without the token; `undefined` if no browser opens the address
 */
export function answerSignIn({ incoming, config, caller, path, token }: Exchange): Reply | undefined {
  const { method, headers } = incoming;
  if ((method !== "GET" && method !== "HEAD") || !isOpened(headers, path)) return undefined;
  const query = dropParameter(readQuery(path), "token");
  const [pathname = ""] = path.split("?", 1);
  return keepToken({ config, caller }, token?.text ?? config.proxyToken, pathname + (query && `?${query}`));
}

/** Over plain http, except to loopback, browsers send no Fetch Metadata. Some programs prefer HTML too. */
function isOpened(headers: FieldReader, path: string): boolean {
  if (headers.has("sec-fetch-mode")) return isNavigation(headers);
  if (headers.has("upgrade-insecure-requests")) return true;
  return /^\/__proxy__\/?\?token=[^&]*$/.test(path) && prefersHtml(headers.get("accept"));
}
