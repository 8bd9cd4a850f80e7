/**
 * Reads the token that a caller shows: where `PROXY_TOKEN` may be, or in a header in which a target takes a key.
 * @module
 */

import { decodePercent } from "../../core/http/text.ts";
import { readParameter, readQuery } from "../../core/address/query.ts";
import { isPage } from "../../core/address/reserved-paths.ts";
import type { Exchange, Rules } from "../../core/exchange/exchange.ts";
import { asksToken } from "../../core/may/token-duty.ts";
import type { LiveSettings } from "../../core/part.ts";
import { type Overrides, readOverrides } from "../../core/way/overrides.ts";
import { narrowHeaders } from "../../core/way/overriding.ts";
import { BoundToken, type ShownToken } from "./token-limits.ts";
import { hideTokens, listTokens } from "./token-credentials.ts";
import { type TokenFault, TokenRefusal } from "./token-refusal.ts";
import { TOKEN_PREFIX, verifyToken } from "./token.ts";
import { readCookie } from "../../core/http/cookies.ts";
import type { FieldReader } from "../../core/http/fields.ts";

/** Maximum number of tokens to verify: each costs a signature, and a caller may send thousands. */
const MAX_VERIFIED = 8;

/** The part of an exchange that can hold tokens. */
type Arrived = Pick<Exchange, "incoming" | "config" | "path" | "parts">;

/** The rules of callers' tokens. */
export function tokenRules(settings: Pick<LiveSettings, "revoked">): Rules {
  return {
    async admit(exchange, isReserved) {
      const found = await readCallerToken(exchange, isReserved, settings.revoked);
      return found instanceof TokenRefusal ? { refusal: found, callerId: found.id } : found;
    },
    showsKey: (arrived) => !isPage(arrived.path) && listInFields(arrived).length > 0,
    strip: hideTokens,
    dress: (hop, exchange) => {
      const headers = narrowHeaders(hop.headers, exchange.token?.claims, exchange);
      return headers && { path: hop.path, headers };
    },
  };
}

/**
 * Verifies the tokens that a caller shows, until one is valid. Where nobody owes a token, one in a cookie that does not count is
 * left aside: a target's page may have set it, and would lock its visitor out.
 *
 * @param isReserved true if the address is the proxy's own, and may hold `token=`
 * @returns the first valid token, else the error for the first invalid one, or `undefined` if none is shown
 */
export async function readCallerToken(
  arrived: Arrived,
  isReserved: boolean,
  revoked: ReadonlySet<string>,
): Promise<BoundToken | TokenRefusal | undefined> {
  const { signingKey } = arrived.config;
  let fault: TokenFault | undefined;
  for (const candidate of listCandidates(arrived, isReserved)) {
    const claims = await verifyToken(candidate.text, signingKey, Date.now() / 1_000, revoked);
    if (!("state" in claims)) return new BoundToken(candidate, claims);
    const isPlanted = candidate.isInCookie && !asksToken(arrived.config);
    if (!isPlanted) fault ??= claims;
  }
  return fault && new TokenRefusal(fault, "Use a new one");
}

/** Each token once. Tokens written for this request come before cookies, which a browser sends by itself. */
function listCandidates(arrived: Arrived, isOwn: boolean): (ShownToken & { isInCookie: boolean })[] {
  const { incoming: { headers }, path } = arrived;
  const parameter = isOwn ? readParameter(readQuery(path), "token") : undefined;
  const inAddress = decodePercent(parameter ?? "") ?? "";
  const inFields = listInFields(arrived);
  const own = [...listOwn(headers, isPage(path)), inAddress];
  const cookies = readCookie(headers.get("cookie"), "proxy_token");
  const written = [...own, ...inFields.map(([text]) => text)];
  const texts = [...written, ...cookies].filter(isLikeToken);
  return [...new Set(texts)].slice(0, MAX_VERIFIED).map((text) => ({
    text,
    isInCookie: !written.includes(text),
    isInAddress: text === inAddress,
    fields: own.includes(text) || cookies.includes(text)
      ? []
      : inFields.flatMap(([shown, field]) => (shown === text ? [field] : [])),
  }));
}

/** The tokens in headers in which some target takes a key, each with the header's name. */
function listInFields({ incoming: { headers }, config, parts }: Arrived): (readonly [string, string])[] {
  const names = parts.keyFields.flatMap((fields) => [...fields]);
  if (names.length === 0) return [];
  const overrides = readOverridden(headers, config);
  return names.flatMap((field) => {
    const value = overrides?.has(field) ? overrides.get(field)!.value : headers.get(field);
    return listTokens(value ?? "").map((text) => [text, field] as const);
  });
}

/** The headers that `proxy_headers` sets: `createFetch` sends `Authorization` there. Step 3 refuses malformed values. */
function readOverridden(headers: FieldReader, config: Arrived["config"]): Overrides | undefined {
  const text = headers.get("proxy_headers") ?? headers.get("proxy-headers");
  if (text === null) return undefined;
  try {
    return readOverrides([text], "header proxy_headers", config);
  } catch {
    return undefined;
  }
}

function isLikeToken(text: string): boolean {
  return text.startsWith(TOKEN_PREFIX);
}

/** @param isOwn true for the proxy's own pages */
function listOwn(headers: FieldReader, isOwn: boolean): string[] {
  return [
    headers.get("proxy_token") ?? "",
    headers.get("proxy-token") ?? "",
    ...listTokens(headers.get("proxy-authorization") ?? ""),
    ...(isOwn ? listTokens(headers.get("authorization") ?? "") : []),
  ];
}
