/**
 * The table of settings: it feeds the environment, the flags, the options of `createProxy` and the README.
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
import { MOST, MOST_MS, parseBoolean, parseInteger, parseRateLimit, parseStore } from "./values.ts";

/** Every setting by its option name; `proxyDomain` is `PROXY_DOMAIN` and `--proxy-domain`. */
export const SETTINGS: { readonly [K in keyof Config]: Setting<Config[K]> } = {
  host: {
    fallback: "127.0.0.1",
    unit: "address",
    effect: "Address to listen on.",
    risk: "Any other address than loopback opens the proxy to other machines.",
    expected: "a host name or IP address",
    // For an invalid name such as `*`, some servers listen on every address.
    parse: (text) => (/^[\w.:%-]+$|^\[[\w.:%]+\]$/.test(text) ? text.replace(/^\[(.*)\]$/, "$1") : undefined),
  },
  port: {
    fallback: 8080,
    unit: "port",
    effect: "Port to listen on. 0 picks a free one.",
    expected: "a whole number from 0 to 65535",
    parse: (text) => parseInteger(text, 0, 65535),
  },
  workers: {
    fallback: 1,
    unit: "processes",
    effect: "Number of processes that share the port. One per core is best.",
    expected: "a whole number from 1 to 1024",
    parse: (text) => parseInteger(text, 1, 1024),
  },
  ...SELECTION_SETTINGS,
  ...ACCESS_SETTINGS,
  ...UPSTREAM_SETTINGS,
  corsOrigins: {
    fallback: undefined,
    unit: "* or list",
    effect: "Origins whose pages may read every answer. `*` allows all, without credentials.",
    risk: "Pages of a listed origin may use everything that the proxy can reach.",
    expected: "* or a list such as https://app.example.com,http://localhost:5173",
    ...listOf(decodeCorsOrigins),
  },
  ...TOKEN_SETTINGS,
  trustedProxies: {
    fallback: [],
    unit: "list",
    effect: "Front proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.",
    risk: "Whoever calls from a listed address can claim any client address.",
    expected: "a list of addresses and CIDRs such as 127.0.0.1,10.0.0.0/8",
    ...listOf(parseCidrs),
  },
  maxConcurrent: {
    fallback: 0,
    unit: "requests",
    effect: "Maximum number of concurrent requests. More get a 503. 0 means no limit.",
    expected: `a whole number from 0 to ${MOST}`,
    parse: (text) => parseInteger(text, 0, MOST),
  },
  rateLimit: {
    fallback: undefined,
    unit: "requests/window",
    effect: "How many requests a caller may make per time window. More get a 429.",
    expected: "requests per time window such as 100/60s, 100/1m or 100/1h, at most 999999999/596h",
    parse: parseRateLimit,
  },
  rateLimitStore: {
    fallback: "",
    unit: "address",
    effect:
      "Redis or Valkey server that counts for `RATE_LIMIT`. All proxies that use it share the limit. While it is down, each process counts on its own.",
    risk: "The server sees the IP addresses of your callers.",
    expected: "an address such as redis://:password@127.0.0.1:6379/0, or rediss: for TLS",
    isSecret: true,
    parse: parseStore,
  },
  timeoutMs: {
    fallback: 30_000,
    unit: "ms",
    effect: "Timeout for the response headers of a target. 0 means no timeout.",
    expected: `a whole number of milliseconds from 0 to ${MOST_MS}`,
    parse: (text) => parseInteger(text, 0, MOST_MS),
  },
  idleTimeoutMs: {
    fallback: 300_000,
    unit: "ms",
    effect:
      "Timeout between two chunks of a body. 0 means no timeout. It does not apply to event streams and WebSockets.",
    expected: `a whole number of milliseconds from 0 to ${MOST_MS}`,
    parse: (text) => parseInteger(text, 0, MOST_MS),
  },
  maxRequestBytes: {
    fallback: 0,
    unit: "bytes",
    effect:
      "Maximum size of a request body. Larger ones get a 413. 0 means no limit, but a posted argument may never exceed 8 MiB.",
    expected: `a whole number of bytes from 0 to ${MOST}`,
    parse: (text) => parseInteger(text, 0, MOST),
  },
  maxResponseBytes: {
    fallback: 0,
    unit: "bytes",
    effect:
      "Maximum size of a response body. A larger `Content-Length` gets a 502. A stream that grows past it is cut. 0 means no limit.",
    expected: `a whole number of bytes from 0 to ${MOST}`,
    parse: (text) => parseInteger(text, 0, MOST),
  },
  maxRedirects: {
    fallback: 20,
    unit: "hops",
    effect: "Maximum number of redirects that `arg` and `url` follow. More get a 502.",
    expected: "a whole number from 0 to 100",
    parse: (text) => parseInteger(text, 0, 100),
  },
  forwardClient: {
    fallback: false,
    unit: "true/false",
    effect: "Tells targets who called: adds `Forwarded` and `X-Forwarded-For/-Proto/-Host`.",
    risk: "Targets see the IP addresses of your callers.",
    expected: "true or false",
    parse: parseBoolean,
  },
  via: {
    fallback: "",
    unit: "pseudonym",
    effect: "Adds `Via: 1.1 <pseudonym>` to requests and responses.",
    risk: "nginx targets with default settings stop compressing when they see `Via`.",
    expected: "a name of letters, digits, dots, hyphens and underscores",
    parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
  },
  log: {
    fallback: "auto",
    unit: "text/json/off/auto",
    effect:
      "Format of the log: one line per request on stdout. `auto` writes text on a terminal (with colours, unless `NO_COLOR` is set) and JSON elsewhere.",
    expected: "text, json, off or auto",
    type: '"text" | "json" | "off" | "auto"',
    parse: (text) =>
      (["text", "json", "off", "auto"] as const).find((format) => format === text.toLowerCase()),
  },
  metrics: {
    fallback: false,
    unit: "true/false",
    effect: "Serves Prometheus metrics at `/__proxy__/metrics`.",
    risk: "Everyone who may use the proxy can read them.",
    expected: "true or false",
    parse: parseBoolean,
  },
  tlsCert: {
    fallback: "",
    unit: "file",
    effect:
      "PEM file with the certificate chain. With `TLS_KEY`, the proxy serves https. SIGHUP reads both again.",
    expected: "a readable PEM file",
    parse: (text) => text || undefined,
  },
  tlsKey: {
    fallback: "",
    unit: "file",
    effect: "PEM file with the private key.",
    expected: "a readable PEM file",
    parse: (text) => text || undefined,
  },
  console: {
    fallback: true,
    unit: "true/false",
    effect: "Shows the console to browsers at `/__proxy__/`.",
    expected: "true or false",
    parse: parseBoolean,
  },
  ...CAPTURE_SETTINGS,
};
