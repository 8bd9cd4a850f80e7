/**
 * The table of settings: it feeds the environment, the flags and the options of `createProxy`. With `command/effects.ts` it also
 * makes the README.
 * @module
 */

import { decodeBase } from "../address/address.ts";
import { findBaseFault } from "../address/fault.ts";
import { parseMountPath } from "../address/reserved-paths.ts";
import { decodeCorsOrigins } from "../address/authority.ts";
import type { Config, Setting } from "./setting.ts";
import { decodeNamedTargets, decodeSomeTargets, decodeTargetList } from "../address/target-lists.ts";
import {
  findLabelsFault,
  listOf,
  parseCidrs,
  parseForms,
  parseLabels,
  parsePrivateTargets,
  recordOf,
} from "./list-values.ts";
import { decodeRoutes, type Routes } from "../address/route.ts";
import {
  isTokenId,
  MEBIBYTE,
  MOST,
  MOST_MS,
  oneOf,
  parseAudit,
  parseCapture,
  parseDomain,
  parseRateLimit,
  parseSize,
  parseStore,
  revokedFileOf,
  SWITCH,
  wholeNumber,
} from "./values.ts";

const PEM_FILE = {
  expected: "a readable PEM file",
  parse: (text: string) => text || undefined,
};

const TARGETS = {
  fallback: [],
  expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
};

/** Stands for `env` in `UPSTREAM_PROXY` until the environment is read. */
export const BY_ENVIRONMENT: Routes = { http: undefined, https: undefined };

/** Every setting by its option name; `proxyDomain` is `PROXY_DOMAIN` and `--proxy-domain`. */
export const SETTINGS: { readonly [K in keyof Config]: Setting<Config[K]> } = {
  host: {
    fallback: "127.0.0.1",
    expected: "a host name or IP address",
    // For an invalid name such as `*`, some servers listen on every address.
    parse: (text) => (/^[\w.:%-]+$|^\[[\w.:%]+\]$/.test(text) ? text.replace(/^\[(.*)\]$/, "$1") : undefined),
  },
  port: { fallback: 8080, ...wholeNumber(0, 65535) },
  workers: { fallback: 1, ...wholeNumber(1, 1024) },
  proxyDomain: {
    fallback: "localhost",
    expected: "a domain name such as proxy.example.com",
    parse: parseDomain,
  },
  mountPath: {
    fallback: "",
    expected: "a path such as /proxy",
    parse: parseMountPath,
  },
  proxyLabels: {
    fallback: new Map(),
    expected: "a list such as api=https://api.example.com,docs=https://docs.example.com/v1",
    ...recordOf(parseLabels),
    findFault: findLabelsFault,
  },
  target: {
    fallback: undefined,
    expected: "a base address such as https://example.com",
    parse: decodeBase,
    findFault: findBaseFault,
  },
  addressForms: {
    part: "forms",
    fallback: [],
    expected: "a list of cors-anywhere, corsproxy, scalar and git, such as cors-anywhere,git",
    ...listOf(parseForms),
  },
  targets: {
    part: "gate",
    fallback: undefined,
    expected: "a JSON file such as targets.json, or a JSON object",
    isVerbatim: true,
    // A table may hold keys.
    isSecret: true,
    parse: (text) => text.trim() || undefined,
    parseObject: (value) => value,
  },
  allowTargets: {
    ...TARGETS,
    ...listOf(decodeSomeTargets),
  },
  denyTargets: {
    ...TARGETS,
    ...listOf(decodeTargetList),
  },
  privateTargets: {
    fallback: "auto",
    expected:
      "true, false, auto, or auto and a list such as auto,staging.example.com,*.corp.example,10.0.0.0/8",
    ...listOf(parsePrivateTargets),
  },
  hosts: {
    fallback: [],
    expected: "a list such as proxy.example.com,*.proxy.example.com",
    ...listOf(decodeNamedTargets),
  },
  trustNames: { fallback: false, ...SWITCH },
  upstreamProxy: {
    fallback: undefined,
    expected:
      "an address such as http://user:password@proxy.example.com:3128 (http, https or socks5), or env",
    isSecret: true,
    isTelling: (text) => text.includes("@"),
    parse: (text) => text === "env" ? BY_ENVIRONMENT : decodeRoutes(text),
  },
  noUpstream: {
    fallback: [],
    expected: "a list such as api.example.com,*.example.org,203.0.113.0/24:8080",
    ...listOf(decodeTargetList),
  },
  upstreamDns: { fallback: "local", ...oneOf("local", "remote") },
  corsOrigins: {
    fallback: undefined,
    expected: "* or a list such as https://app.example.com,http://localhost:5173",
    ...listOf(decodeCorsOrigins),
  },
  proxyToken: {
    fallback: "",
    expected: "visible ASCII without comma, semicolon and double quote",
    isSecret: true,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) && !/[,;"]/.test(text) ? text : undefined),
  },
  signingKey: {
    fallback: "",
    expected: "more than blanks",
    isVerbatim: true,
    isSecret: true,
    parse: (text) => text.trim() ? text : undefined,
  },
  callerTokens: { part: "tokens", fallback: false, ...SWITCH },
  revokedTokens: {
    part: "tokens",
    fallback: [],
    expected: "a list of ids such as ci,old-laptop, or @ and a file such as @revoked.txt",
    ...listOf(parseRevoked),
  },
  gate: { part: "report", fallback: "enforce", ...oneOf("enforce", "report") },
  trustedProxies: {
    fallback: [],
    expected: "a list of addresses and CIDRs such as 127.0.0.1,10.0.0.0/8",
    ...listOf(parseCidrs),
  },
  maxConcurrent: { fallback: 0, ...wholeNumber(0, MOST) },
  rateLimit: {
    fallback: undefined,
    expected: "requests per time window such as 100/60s, 100/1m or 100/1h, at most 999999999/596h",
    parse: parseRateLimit,
  },
  rateLimitStore: {
    fallback: "",
    expected: "an address such as redis://:password@127.0.0.1:6379/0, or rediss: for TLS",
    isSecret: true,
    parse: parseStore,
  },
  timeoutMs: { fallback: 30_000, ...wholeNumber(0, MOST_MS, "of milliseconds ") },
  idleTimeoutMs: { fallback: 300_000, ...wholeNumber(0, MOST_MS, "of milliseconds ") },
  maxRequestBytes: { fallback: 0, ...wholeNumber(0, MOST, "of bytes ") },
  maxResponseBytes: { fallback: 0, ...wholeNumber(0, MOST, "of bytes ") },
  maxRedirects: { fallback: 20, ...wholeNumber(0, 100) },
  forwardClient: { fallback: false, ...SWITCH },
  via: {
    fallback: "",
    expected: "a name of letters, digits, dots, hyphens and underscores",
    parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
  },
  log: { fallback: "auto", ...oneOf("text", "json", "off", "auto") },
  audit: {
    part: "audit",
    fallback: undefined,
    expected: "stderr or the path of a file, either with ,loose behind it",
    parse: parseAudit,
    parseFunction: (to) => ({ to, isLoose: false }),
  },
  metrics: { part: "metrics", fallback: false, ...SWITCH },
  tlsCert: { fallback: "", ...PEM_FILE },
  tlsKey: { fallback: "", ...PEM_FILE },
  console: { part: "console", fallback: true, ...SWITCH },
  capture: {
    part: "capture",
    fallback: "console",
    expected: "off, console, heads or a size from 1 to 16MiB such as 64KiB",
    parse: parseCapture,
  },
  captureBytes: {
    part: "capture",
    fallback: 64 * MEBIBYTE,
    expected: "a size from 1MiB to 4GiB such as 64MiB",
    parse: (text) => parseSize(text, MEBIBYTE, 4_096 * MEBIBYTE),
  },
};

function parseRevoked(entries: readonly string[]): readonly string[] | undefined {
  const isEntry = (entry: string) => revokedFileOf(entry) !== undefined || isTokenId(entry);
  return entries.every(isEntry) ? entries : undefined;
}
