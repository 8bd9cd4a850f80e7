/**
 * Checks the token, or what a part takes instead of it (rules 5.9 and 5.10).
 * @module
 */

import { decodePercent, encodeUtf8 } from "../http/text.ts";
import { isPage } from "../address/reserved-paths.ts";
import { readCookie } from "../http/cookies.ts";
import { ProxyError } from "../http/error.ts";
import type { FieldReader } from "../http/fields.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { CallerToken, Refused } from "../exchange/findings.ts";
import { readParameter, readQuery } from "../address/query.ts";
import { asksToken } from "../may/token-duty.ts";

/** Maximum number of values to check: each costs a digest, and a caller may send thousands. */
const MAX_SHOWN = 16;

/**
 * What admitted the caller: a signed link, the proxy's token in the address or elsewhere, a token of the caller's own, or
 * nothing if nothing is required.
 */
export type Shown = "signature" | "address" | "token" | "nothing" | CallerToken;

/**
 * Checks the caller's token or signature. A caller's own token limits it even beside the proxy's.
 *
 * @throws {ProxyError} `token_missing` without a token, `token_wrong`, `token_expired` or `token_revoked` for an invalid
 * one, `forbidden` for a signature that is wrong or expired
 */
export async function checkToken(
  exchange: Exchange,
  isReserved: boolean,
  tellCaller?: (id: string | undefined) => void,
): Promise<Shown> {
  const { config, parts } = exchange;
  let refused: Refused | undefined;
  for (const admit of parts.admit) {
    const found = await admit(exchange, isReserved);
    if (typeof found === "object" && "refusal" in found) refused ??= found;
    else if (found) return found;
  }
  const { path, incoming: { headers } } = exchange;
  const inAddress = isReserved ? decodePercent(readParameter(readQuery(path), "token") ?? "") : undefined;
  const elsewhere = readTokens(headers, isPage(path));
  const isToken = (text: string) => isSame(text, config.proxyToken);
  if (config.proxyToken) {
    if (inAddress && await isToken(inAddress)) return "address";
    if ((await Promise.all(elsewhere.map(isToken))).includes(true)) return "token";
  }
  if (refused) {
    tellCaller?.(refused.callerId);
    throw refused.refusal;
  }
  if (!asksToken(config)) return "nothing";
  // SDKs can send a token only as their API key; the proxy's own pages take none there.
  const asKey = config.callerTokens && !isPage(path);
  throw new ProxyError(
    inAddress || elsewhere.some(Boolean) ? "token_wrong" : "token_missing",
    "Cannot use this proxy: its token is missing or wrong. Send it in the header proxy_token" +
      (asKey ? ", or as the API key if the target takes one" : ""),
    {
      headers: { "www-authenticate": 'Bearer realm="fetchvia"' },
    },
  );
}

/**
 * Reads the values that may be the token.
 *
 * @param isPage true for the proxy's own pages, which forward none of the caller's fields. Everywhere else,
 * `Authorization` belongs to the target
 */
function readTokens(headers: FieldReader, isPage: boolean): string[] {
  const shown = [
    headers.get("proxy_token"),
    headers.get("proxy-token"),
    readBearer(headers.get("proxy-authorization")),
    isPage ? readBearer(headers.get("authorization")) : undefined,
    ...readCookie(headers.get("cookie"), "proxy_token"),
  ];
  return shown.filter((token) => typeof token === "string").slice(0, MAX_SHOWN);
}

/** @see RFC 6750 §2.1 */
function readBearer(credentials: string | null): string | undefined {
  return /^Bearer +(\S+)$/i.exec(credentials ?? "")?.[1];
}

/**
 * Compares in constant time: it compares all 32 bytes of both digests. So timing reveals nothing about the token, not
 * even its length.
 */
async function isSame(shown: string, token: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", encodeUtf8(text)));
  const [one, other] = await Promise.all([digest(shown), digest(token)]);
  let difference = 0;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}
