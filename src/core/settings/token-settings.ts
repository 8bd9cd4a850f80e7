/**
 * The settings about tokens: the proxy's own, and those of its callers.
 * @module
 */

import { listOf } from "./list-values.ts";
import type { Config, Setting } from "./setting.ts";
import { isTokenId, revokedFileOf, SWITCH } from "./values.ts";

type Name = "proxyToken" | "signingKey" | "callerTokens" | "revokedTokens";

/** The settings about tokens, in the order of the settings table. */
export const TOKEN_SETTINGS: { readonly [K in Name]: Setting<Config[K]> } = {
  proxyToken: {
    group: "access",
    fallback: "",
    unit: "secret",
    expected: "visible ASCII without comma, semicolon and double quote",
    isSecret: true,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) && !/[,;"]/.test(text) ? text : undefined),
  },
  signingKey: {
    group: "access",
    fallback: "",
    unit: "secret",
    expected: "any text",
    isVerbatim: true,
    isSecret: true,
    parse: (text) => text || undefined,
  },
  callerTokens: { group: "access", part: "tokens", fallback: false, ...SWITCH },
  revokedTokens: {
    group: "access",
    part: "tokens",
    fallback: [],
    unit: "list",
    expected: "a list of ids such as ci,old-laptop, or @ and a file such as @revoked.txt",
    ...listOf(parseRevoked),
  },
};

function parseRevoked(entries: readonly string[]): readonly string[] | undefined {
  const isEntry = (entry: string) => revokedFileOf(entry) !== undefined || isTokenId(entry);
  return entries.every(isEntry) ? entries : undefined;
}
