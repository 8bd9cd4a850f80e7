/**
 * The table of settings: it feeds the environment, the flags and the options of `createProxy`. With `effects.ts` it also
 * makes the README.
 * @module
 */

import { ACCESS_SETTINGS } from "./access-settings.ts";
import { CAPTURE_SETTINGS } from "./capture-settings.ts";
import { decodeCorsOrigins } from "../address/origins.ts";
import type { Config, Setting } from "./setting.ts";
import { listOf, parseCidrs } from "./list-values.ts";
import { SELECTION_SETTINGS } from "./selection-settings.ts";
import { TOKEN_SETTINGS } from "./token-settings.ts";
import { UPSTREAM_SETTINGS } from "./upstream-settings.ts";
import {
  MOST,
  MOST_MS,
  parseAudit,
  parseBoolean,
  parseInteger,
  parseRateLimit,
  parseStore,
} from "./values.ts";

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
  port: {
    group: "listen",
    fallback: 8080,
    unit: "port",
    expected: "a whole number from 0 to 65535",
    parse: (text) => parseInteger(text, 0, 65535),
  },
  workers: {
    group: "listen",
    fallback: 1,
    unit: "processes",
    expected: "a whole number from 1 to 1024",
    parse: (text) => parseInteger(text, 1, 1024),
  },
  ...SELECTION_SETTINGS,
  ...ACCESS_SETTINGS,
  ...UPSTREAM_SETTINGS,
  corsOrigins: {
    group: "access",
    fallback: undefined,
    unit: "* or list",
    expected: "* or a list such as https://app.example.com,http://localhost:5173",
    ...listOf(decodeCorsOrigins),
  },
  ...TOKEN_SETTINGS,
  gate: {
    group: "access",
    part: "report",
    fallback: "enforce",
    unit: "enforce/report",
    expected: "enforce or report",
    type: '"enforce" | "report"',
    parse: (text) => (["enforce", "report"] as const).find((way) => way === text.toLowerCase()),
  },
  trustedProxies: {
    group: "access",
    fallback: [],
    unit: "list",
    expected: "a list of addresses and CIDRs such as 127.0.0.1,10.0.0.0/8",
    ...listOf(parseCidrs),
  },
  maxConcurrent: {
    group: "limits",
    fallback: 0,
    unit: "requests",
    expected: `a whole number from 0 to ${MOST}`,
    parse: (text) => parseInteger(text, 0, MOST),
  },
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
  timeoutMs: {
    group: "limits",
    fallback: 30_000,
    unit: "ms",
    expected: `a whole number of milliseconds from 0 to ${MOST_MS}`,
    parse: (text) => parseInteger(text, 0, MOST_MS),
  },
  idleTimeoutMs: {
    group: "limits",
    fallback: 300_000,
    unit: "ms",
    expected: `a whole number of milliseconds from 0 to ${MOST_MS}`,
    parse: (text) => parseInteger(text, 0, MOST_MS),
  },
  maxRequestBytes: {
    group: "limits",
    fallback: 0,
    unit: "bytes",
    expected: `a whole number of bytes from 0 to ${MOST}`,
    parse: (text) => parseInteger(text, 0, MOST),
  },
  maxResponseBytes: {
    group: "limits",
    fallback: 0,
    unit: "bytes",
    expected: `a whole number of bytes from 0 to ${MOST}`,
    parse: (text) => parseInteger(text, 0, MOST),
  },
  maxRedirects: {
    group: "limits",
    fallback: 20,
    unit: "hops",
    expected: "a whole number from 0 to 100",
    parse: (text) => parseInteger(text, 0, 100),
  },
  forwardClient: {
    group: "targets",
    fallback: false,
    unit: "true/false",
    expected: "true or false",
    parse: parseBoolean,
  },
  via: {
    group: "targets",
    fallback: "",
    unit: "pseudonym",
    expected: "a name of letters, digits, dots, hyphens and underscores",
    parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
  },
  log: {
    group: "output",
    fallback: "auto",
    unit: "text/json/off/auto",
    expected: "text, json, off or auto",
    type: '"text" | "json" | "off" | "auto"',
    parse: (text) =>
      (["text", "json", "off", "auto"] as const).find((format) => format === text.toLowerCase()),
  },
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
  metrics: {
    group: "output",
    part: "metrics",
    fallback: false,
    unit: "true/false",
    expected: "true or false",
    parse: parseBoolean,
  },
  tlsCert: {
    group: "listen",
    fallback: "",
    unit: "file",
    expected: "a readable PEM file",
    parse: (text) => text || undefined,
  },
  tlsKey: {
    group: "listen",
    fallback: "",
    unit: "file",
    expected: "a readable PEM file",
    parse: (text) => text || undefined,
  },
  console: {
    group: "output",
    part: "console",
    fallback: true,
    unit: "true/false",
    expected: "true or false",
    parse: parseBoolean,
  },
  ...CAPTURE_SETTINGS,
};
