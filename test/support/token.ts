/**
 * Callers' tokens as if they had been verified.
 * @module
 */
import { BoundToken, type ShownToken } from "../../src/parts/tokens/token-limits.ts";
import { type Claims, readClaims } from "../../src/parts/tokens/claims.ts";

/** A token with these claims, shown in `proxy_token` if nothing else is said. */
export function tokenOf(claims: object = {}, shown: Partial<ShownToken> = {}): BoundToken {
  const read = readClaims({ id: "ci", exp: 1, ...claims }) as Claims;
  return new BoundToken({ text: "fv1", isInAddress: false, fields: [], ...shown }, read);
}
