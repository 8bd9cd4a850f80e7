/**
 * The settings about tokens: the proxy's own, and those of its callers.
 * @module
 */

import { isTokenId } from "./claims.ts";
import { listOf } from "./list-values.ts";
import type { Config, Setting } from "./setting.ts";
import { parseBoolean } from "./values.ts";

type Name = "proxyToken" | "signingKey" | "callerTokens" | "revokedTokens";

/** The mark in front of the name of a file. No id begins with it. */
const FILE_MARK = "@";

/** These settings, in the order of the table. */
export const TOKEN_SETTINGS: { readonly [K in Name]: Setting<Config[K]> } = {
  proxyToken: {
    fallback: "",
    unit: "secret",
    effect:
      "Token that callers must send: as header or cookie `proxy_token`, as `Proxy-Authorization: Bearer`, or on `/__proxy__/*` as `token=` or `Authorization: Bearer` (not with `url`, where that is the target's).",
    expected: "visible ASCII without comma, semicolon and double quote",
    isSecret: true,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) && !/[,;"]/.test(text) ? text : undefined),
  },
  signingKey: {
    fallback: "",
    unit: "secret",
    effect:
      "Key for signed links: an `arg` or `url` link with `sig` (and `exp`) needs no token. Also the key of callers' tokens, see `fetchvia token`.",
    expected: "any text",
    isVerbatim: true,
    isSecret: true,
    parse: (text) => text || undefined,
  },
  callerTokens: {
    fallback: false,
    unit: "true/false",
    effect:
      "Whether every caller must show a token of its own, made with `SIGNING_KEY`, or `PROXY_TOKEN`. With `false`, a token that is shown still limits its caller.",
    expected: "true or false",
    parse: parseBoolean,
  },
  revokedTokens: {
    fallback: [],
    unit: "list",
    effect:
      "Ids of callers' tokens that are refused. `@revoked.txt` names a file with one id per line, which is read again when it changes.",
    expected: "a list of ids such as ci,old-laptop, or @ and a file such as @revoked.txt",
    ...listOf(parseRevoked),
  },
};

function parseRevoked(entries: readonly string[]): readonly string[] | undefined {
  const isEntry = (entry: string) => revokedFileOf(entry) !== undefined || isTokenId(entry);
  return entries.every(isEntry) ? entries : undefined;
}

/** The file that an entry of `REVOKED_TOKENS` names; `undefined` for an id. */
export function revokedFileOf(entry: string): string | undefined {
  return entry.startsWith(FILE_MARK) && entry.length > 1 ? entry.slice(1) : undefined;
}
