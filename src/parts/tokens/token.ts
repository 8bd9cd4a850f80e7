/**
 * A caller's token: `fv1.<claims>.<signature>`, signed with `SIGNING_KEY`. The proxy stores no tokens (rule 10.1).
 * @module
 * @see RFC 2104 (HMAC)
 */

import { decodeBase64url, encodeBase64url } from "../../core/address/base64url.ts";
import { importKey } from "../../core/address/signature.ts";
import { type Claims, readClaims } from "./claims.ts";
import { parseUniqueJson } from "../../core/http/unique-json.ts";
import type { TokenFault } from "./token-refusal.ts";

/** What every token begins with. */
export const TOKEN_PREFIX = "fv1.";
/** Maximum length of a token, in characters: claims are only a few short lists. */
export const MAX_TOKEN_LENGTH = 4_096;

const TOKEN = /^(fv1\.[\w-]+)\.([\w-]{43})$/;

/**
 * Verifies a token, in constant time: the signature is compared by `crypto.subtle.verify` alone, and before the claims
 * are read.
 *
 * @param now Unix time in seconds
 * @returns the claims, or what is wrong with the token
 */
export async function verifyToken(
  text: string,
  signingKey: string,
  now: number,
  revoked: ReadonlySet<string>,
): Promise<Claims | TokenFault> {
  const [, signed = "", signature = ""] = text.length <= MAX_TOKEN_LENGTH ? TOKEN.exec(text) ?? [] : [];
  const bytes = decodeBase64url(signature);
  // Several Base64 texts decode to the same bytes; only the canonical one is accepted.
  if (!signed || !bytes || encodeBase64url(bytes) !== signature) return wrong("it is malformed");
  const key = await importKey(signingKey);
  if (!(await crypto.subtle.verify("HMAC", key, bytes, new TextEncoder().encode(signed)))) {
    return wrong("its signature is wrong");
  }
  const claims = readPayload(signed.slice(TOKEN_PREFIX.length));
  if (typeof claims === "string") return wrong(claims);
  const { id, exp } = claims;
  if (exp <= now) return { code: "token_expired", state: "it has expired", id };
  return revoked.has(id) ? { code: "token_revoked", state: "it was revoked", id } : claims;
}

function wrong(state: string): TokenFault {
  return { code: "token_wrong", state };
}

function readPayload(payload: string): Claims | string {
  const bytes = decodeBase64url(payload);
  if (!bytes) return "it is malformed";
  try {
    return readClaims(parseUniqueJson(new TextDecoder().decode(bytes)));
  } catch (error) {
    return error instanceof TypeError ? "a claim stands in it twice" : "its claims are not JSON";
  }
}
