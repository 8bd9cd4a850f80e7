/**
 * Makes callers' tokens. This needs the signing key, so it must never run in a page.
 * @module
 */

import { encodeBase64url } from "../../core/address/base64url.ts";
import { signLink } from "../../core/address/signature.ts";

/** What a caller's token allows. Each claim means the same as the setting that it is named after, and can only narrow it. */
export interface TokenOptions {
  /** The caller's id: 1 to 64 letters, digits and `. _ : @ + -`. The log names it, and `REVOKED_TOKENS` can revoke it. */
  id: string;
  /** When the token expires: a `Date`, or Unix seconds. */
  expires: Date | number;
  /** The only targets, as in `ALLOW_TARGETS`; all that the settings allow by default. */
  targets?: string | readonly string[] | undefined;
  /** The only methods, such as `["GET"]`; all by default. */
  methods?: readonly string[] | undefined;
  /** The only path prefixes at every target, such as `["/v1/"]`; all by default. */
  paths?: readonly string[] | undefined;
  /** Requests per time window, such as `100/60s`; no limit by default. */
  rate?: string | undefined;
  /** The only origins whose pages may use it; those of `CORS_ORIGINS` by default. Does not apply to programs. */
  origins?: string | readonly string[] | undefined;
}

/**
 * Makes a token.
 *
 * @param signingKey `SIGNING_KEY` of the proxy
 * @throws {RangeError} (as a rejection) for a claim that the proxy would refuse, an empty key, or a token that is too long
 * @example
 * ```ts
 * const token = await mintToken(
 *   { id: "ci", expires: new Date(Date.now() + 3_600_000), targets: "api.openai.com", methods: ["POST"] },
 *   signingKey,
 * );
 * ```
 */
export async function mintToken(options: TokenOptions, signingKey: string): Promise<string> {
  if (signingKey === "") throw new RangeError("Cannot make a token: the key is empty, expected SIGNING_KEY");
  const [{ readClaims }, { MAX_TOKEN_LENGTH, TOKEN_PREFIX }] = await Promise.all([
    import("./claims.ts"),
    import("./token.ts"),
  ]);
  const { id, expires, ...others } = options;
  const exp = Math.floor(expires instanceof Date ? expires.getTime() / 1_000 : expires);
  // JSON leaves out members that are undefined, and writes an invalid time as `null`.
  const json = JSON.stringify({ id, exp, ...others });
  const claims = readClaims(JSON.parse(json));
  if (typeof claims === "string") throw new RangeError(`Cannot make a token: ${claims}`);
  const signed = TOKEN_PREFIX + encodeBase64url(new TextEncoder().encode(json));
  const token = `${signed}.${await signLink(signed, signingKey)}`;
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  throw new RangeError(
    `Cannot make a token: it has ${token.length} characters, expected at most ${MAX_TOKEN_LENGTH}`,
  );
}
