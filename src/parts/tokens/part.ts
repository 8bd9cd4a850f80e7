/**
 * Callers' tokens as a part.
 * @module
 */

import { type Host, makeLatePart, type Part } from "../../core/part.ts";

/** Makes the part. */
export function makeTokens({ settings }: Host): Part {
  return makeLatePart("tokens", async () => (await import("./caller-token.ts")).tokenRules(settings));
}
