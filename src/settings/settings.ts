/**
 * The table of settings: it feeds the environment, the flags, the options of `createProxy` and the README.
 * @module
 */

import { ACCESS_SETTINGS } from "./access-settings.ts";
import { decodeBase } from "../address/address.ts";
import { decodeCorsOrigins } from "../address/origins.ts";
import { parseMountPath } from "../address/mount.ts";
import type { Config, Setting } from "./setting.ts";
import { listOf, parseCidrs, parseLabels, recordOf } from "./list-values.ts";
import {
  MOST,
  MOST_MS,
  parseBoolean,
  parseDomain,
  parseInteger,
  parseRateLimit,
  parseStore,
} from "./values.ts";

/** Every setting by its option name; `proxyDomain` is `PROXY_DOMAIN` and `--proxy-domain`. */
export const SETTINGS: { readonly [K in keyof Config]: Setting<Config[K]> } = {
  host: {
    fallback: "127.0.0.1",
    unit: "address",
    effect: "The address that the proxy listens on.",
    risk: "Anything but a loopback address opens the proxy to others.",
    expected: "a host name or IP address",
    // Bun (1.4) listens on every address for a name that is none, such as `*`.
    parse: (text) => (/^[\w.:%-]+$|^\[[\w.:%]+\]$/.test(text) ? text.replace(/^\[(.*)\]$/, "$1") : undefined),
  },
  port: {
    fallback: 8080,
    unit: "port",
    effect: "The port that the proxy listens on; 0 takes a free one.",
    expected: "a whole number from 0 to 65535",
    parse: (text) => parseInteger(text, 0, 65535),
  },
  workers: {
    fallback: 1,
    unit: "processes",
    effect: "How many processes serve the port side by side; one for each core is best.",
    expected: "a whole number from 1 to 1024",
    parse: (text) => parseInteger(text, 1, 1024),
  },
  proxyDomain: {
    fallback: "localhost",
    unit: "domain",
    effect: "`<label>.w.<domain>` in Host names a target.",
    expected: "a domain name such as proxy.example.com",
    parse: parseDomain,
  },
  mountPath: {
    fallback: "",
    unit: "path",
    effect: "Where the proxy stands in a server that has other paths too, such as `/proxy`.",
    risk: "Your own pages and cookies on that origin meet those of the targets.",
    expected: "a path such as /proxy",
    parse: parseMountPath,
  },
  proxyLabels: {
    fallback: new Map(),
    unit: "label=base,…",
    effect: "Labels of your own, before the ones that spell a host.",
    expected: "a list such as api=https://api.example.com,docs=https://docs.example.com/v1",
    ...recordOf(parseLabels),
  },
  target: {
    fallback: undefined,
    unit: "base",
    effect: "Where requests go that name no target.",
    expected: "a base address such as https://example.com",
    parse: decodeBase,
  },
  ...ACCESS_SETTINGS,
  corsOrigins: {
    fallback: undefined,
    unit: "* or list",
    effect: "Pages of these origins may read every answer; `*` stands for all, without credentials.",
    risk: "A listed page may use everything that the proxy reaches.",
    expected: "* or a list such as https://app.example.com,http://localhost:5173",
    ...listOf(decodeCorsOrigins),
  },
  proxyToken: {
    fallback: "",
    unit: "secret",
    effect:
      "Callers must show it: `proxy_token` as header or cookie, `Proxy-Authorization: Bearer`, `token=` on `/__proxy__/*`.",
    expected: "visible ASCII without comma, semicolon and double quote",
    isSecret: true,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) && !/[,;"]/.test(text) ? text : undefined),
  },
  signingKey: {
    fallback: "",
    unit: "secret",
    effect: "Links with `arg` or `url` may carry `exp` and `sig` in place of the token.",
    expected: "any text",
    isVerbatim: true,
    isSecret: true,
    parse: (text) => text || undefined,
  },
  trustedProxies: {
    fallback: [],
    unit: "list",
    effect: "Peers whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.",
    risk: "Anyone in it can claim any address.",
    expected: "a list of addresses and CIDRs such as 127.0.0.1,10.0.0.0/8",
    ...listOf(parseCidrs),
  },
  maxConcurrent: {
    fallback: 0,
    unit: "requests",
    effect: "How many requests may be in flight; more are a 503. 0 sets no limit.",
    expected: `a whole number from 0 to ${MOST}`,
    parse: (text) => parseInteger(text, 0, MOST),
  },
  rateLimit: {
    fallback: undefined,
    unit: "requests/time",
    effect: "How many requests a caller may make in a time; more are a 429.",
    expected: "requests per time such as 100/60s, 100/1m or 100/1h, at most 999999999/596h",
    parse: parseRateLimit,
  },
  rateLimitStore: {
    fallback: "",
    unit: "address",
    effect:
      "A Redis or Valkey server that counts for `RATE_LIMIT`, so that all who share it share the limit. While it fails, each process counts by itself.",
    risk: "It sees the addresses of your callers.",
    expected: "an address such as redis://:password@127.0.0.1:6379/0, or rediss: for TLS",
    isSecret: true,
    parse: parseStore,
  },
  timeoutMs: {
    fallback: 30_000,
    unit: "ms",
    effect: "How long a target may take until its response headers are here; 0 waits for ever.",
    expected: `a whole number of milliseconds from 0 to ${MOST_MS}`,
    parse: (text) => parseInteger(text, 0, MOST_MS),
  },
  idleTimeoutMs: {
    fallback: 300_000,
    unit: "ms",
    effect:
      "How long a body may pause between two chunks; 0 for ever. Event streams and WebSockets may pause.",
    expected: `a whole number of milliseconds from 0 to ${MOST_MS}`,
    parse: (text) => parseInteger(text, 0, MOST_MS),
  },
  maxRequestBytes: {
    fallback: 0,
    unit: "bytes",
    effect:
      "How large a request body may be; larger ones are a 413. 0 sets no limit. A posted argument may have 8 MiB at most.",
    expected: `a whole number of bytes from 0 to ${MOST}`,
    parse: (text) => parseInteger(text, 0, MOST),
  },
  maxResponseBytes: {
    fallback: 0,
    unit: "bytes",
    effect: "How large an answer may be: announced larger is a 502, growing past it is cut. 0 sets no limit.",
    expected: `a whole number of bytes from 0 to ${MOST}`,
    parse: (text) => parseInteger(text, 0, MOST),
  },
  maxRedirects: {
    fallback: 20,
    unit: "hops",
    effect: "How many redirects are followed for `arg` and `url`; more are a 502.",
    expected: "a whole number from 0 to 100",
    parse: (text) => parseInteger(text, 0, 100),
  },
  forwardClient: {
    fallback: false,
    unit: "true/false",
    effect: "Tells targets who called: `Forwarded` and `X-Forwarded-For/-Proto/-Host`, made of facts.",
    risk: "Targets learn the addresses of your callers.",
    expected: "true or false",
    parse: parseBoolean,
  },
  via: {
    fallback: "",
    unit: "pseudonym",
    effect: "Adds `Via: 1.1 <pseudonym>` to requests and answers.",
    risk: "A stock nginx target stops compressing when it sees `Via`.",
    expected: "a name of letters, digits, dots, hyphens and underscores",
    parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
  },
  log: {
    fallback: "auto",
    unit: "text/json/off/auto",
    effect:
      "Writes one line for each request to stdout; `auto`: text on a terminal (coloured, unless `NO_COLOR`), else JSON.",
    expected: "text, json, off or auto",
    type: '"text" | "json" | "off" | "auto"',
    parse: (text) =>
      (["text", "json", "off", "auto"] as const).find((format) => format === text.toLowerCase()),
  },
  metrics: {
    fallback: false,
    unit: "true/false",
    effect: "Serves counters at `/__proxy__/metrics` in the text format of Prometheus.",
    risk: "Whoever may use the proxy sees how it is used.",
    expected: "true or false",
    parse: parseBoolean,
  },
  tlsCert: {
    fallback: "",
    unit: "file",
    effect: "PEM file of the certificate chain; with `TLS_KEY` the proxy speaks https.",
    expected: "a readable PEM file",
    parse: (text) => text || undefined,
  },
  tlsKey: {
    fallback: "",
    unit: "file",
    effect: "PEM file of the private key.",
    expected: "a readable PEM file",
    parse: (text) => text || undefined,
  },
  console: {
    fallback: true,
    unit: "true/false",
    effect: "Shows browsers a page at `/__proxy__/`.",
    expected: "true or false",
    parse: parseBoolean,
  },
};
