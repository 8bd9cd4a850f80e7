/**
 * The table of settings: it feeds the environment, the flags and the options of `createProxy`. With `effects.ts` it also
 * makes the README.
 * @module
 */

import { CAPTURE_SETTINGS } from "./capture-settings.ts";
import { decodeCorsOrigins } from "../address/origins.ts";
import type { Config, Setting } from "./setting.ts";
import { decodeNamedTargets, decodeSomeTargets, decodeTargetList } from "../address/target-lists.ts";
import { listOf, parseCidrs, parsePrivateTargets } from "./list-values.ts";
import { SELECTION_SETTINGS } from "./selection-settings.ts";
import { UPSTREAM_SETTINGS } from "./upstream-settings.ts";
import {
  isTokenId,
  MOST,
  MOST_MS,
  oneOf,
  parseAudit,
  parseRateLimit,
  parseStore,
  revokedFileOf,
  SWITCH,
  wholeNumber,
} from "./values.ts";

const PEM_FILE = {
  unit: "file",
  expected: "a readable PEM file",
  parse: (text: string) => text || undefined,
};

/** Every setting by its option name; `proxyDomain` is `PROXY_DOMAIN` and `--proxy-domain`. */
export const SETTINGS: { readonly [K in keyof Config]: Setting<Config[K]> } = {
  host: {
    group: "listen",
    fallback: "127.0.0.1",
    unit: "address",
    expected: "a host name or IP address",
    // For an invalid name such as `*`, some servers listen on every address.
    parse: (text) => (/^[\w.:%-]+$|^\[[\w.:%]+\]$/.test(text) ? text.replace(/^\[(.*)\]$/, "$1") : undefined),
  },
  port: { group: "listen", fallback: 8080, ...wholeNumber(0, 65535, "port") },
  workers: { group: "listen", fallback: 1, ...wholeNumber(1, 1024, "processes") },
  ...SELECTION_SETTINGS,
  allowTargets: {
    group: "access",
    fallback: [],
    unit: "list",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    ...listOf(decodeSomeTargets),
  },
  denyTargets: {
    group: "access",
    fallback: [],
    unit: "list",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    ...listOf(decodeTargetList),
  },
  privateTargets: {
    group: "access",
    fallback: "auto",
    unit: "true/false/auto or auto,name,…",
    expected:
      "true, false, auto, or auto and a list such as auto,staging.example.com,*.corp.example,10.0.0.0/8",
    type: 'boolean | "true" | "false" | "auto" | `auto,${string}` | readonly string[]',
    ...listOf(parsePrivateTargets),
  },
  hosts: {
    group: "access",
    fallback: [],
    unit: "list",
    expected: "a list such as proxy.example.com,*.proxy.example.com",
    ...listOf(decodeNamedTargets),
  },
  trustNames: { group: "access", fallback: false, ...SWITCH },
  ...UPSTREAM_SETTINGS,
  corsOrigins: {
    group: "access",
    fallback: undefined,
    unit: "* or list",
    expected: "* or a list such as https://app.example.com,http://localhost:5173",
    ...listOf(decodeCorsOrigins),
  },
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
    expected: "more than blanks",
    isVerbatim: true,
    isSecret: true,
    parse: (text) => text.trim() ? text : undefined,
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
  gate: { group: "access", part: "report", fallback: "enforce", ...oneOf("enforce", "report") },
  trustedProxies: {
    group: "access",
    fallback: [],
    unit: "list",
    expected: "a list of addresses and CIDRs such as 127.0.0.1,10.0.0.0/8",
    ...listOf(parseCidrs),
  },
  maxConcurrent: { group: "limits", fallback: 0, ...wholeNumber(0, MOST, "requests") },
  rateLimit: {
    group: "limits",
    fallback: undefined,
    unit: "requests/window",
    expected: "requests per time window such as 100/60s, 100/1m or 100/1h, at most 999999999/596h",
    parse: parseRateLimit,
  },
  rateLimitStore: {
    group: "limits",
    fallback: "",
    unit: "address",
    expected: "an address such as redis://:password@127.0.0.1:6379/0, or rediss: for TLS",
    isSecret: true,
    parse: parseStore,
  },
  timeoutMs: { group: "limits", fallback: 30_000, ...wholeNumber(0, MOST_MS, "ms", "of milliseconds ") },
  idleTimeoutMs: { group: "limits", fallback: 300_000, ...wholeNumber(0, MOST_MS, "ms", "of milliseconds ") },
  maxRequestBytes: { group: "limits", fallback: 0, ...wholeNumber(0, MOST, "bytes", "of bytes ") },
  maxResponseBytes: { group: "limits", fallback: 0, ...wholeNumber(0, MOST, "bytes", "of bytes ") },
  maxRedirects: { group: "limits", fallback: 20, ...wholeNumber(0, 100, "hops") },
  forwardClient: { group: "targets", fallback: false, ...SWITCH },
  via: {
    group: "targets",
    fallback: "",
    unit: "pseudonym",
    expected: "a name of letters, digits, dots, hyphens and underscores",
    parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
  },
  log: { group: "output", fallback: "auto", ...oneOf("text", "json", "off", "auto") },
  audit: {
    group: "output",
    part: "audit",
    fallback: undefined,
    unit: "file",
    expected: "stderr or the path of a file, either with ,loose behind it",
    type: "string | ((line: string) => unknown)",
    parse: parseAudit,
    parseFunction: (to) => ({ to, isLoose: false }),
  },
  metrics: { group: "output", part: "metrics", fallback: false, ...SWITCH },
  tlsCert: { group: "listen", fallback: "", ...PEM_FILE },
  tlsKey: { group: "listen", fallback: "", ...PEM_FILE },
  console: { group: "output", part: "console", fallback: true, ...SWITCH },
  ...CAPTURE_SETTINGS,
};

function parseRevoked(entries: readonly string[]): readonly string[] | undefined {
  const isEntry = (entry: string) => revokedFileOf(entry) !== undefined || isTokenId(entry);
  return entries.every(isEntry) ? entries : undefined;
}
