/**
 * The table of settings: it feeds the environment, the flags, the options of `createProxy` and the README.
 * @module
 */

import { type Address, decodeBase } from "./address.ts";
import { type CorsOrigins, decodeCorsOrigins } from "./cors-origins.ts";
import type { Cidr } from "./ip.ts";
import type { LogFormat } from "./log.ts";
import { decodeTargetList, type TargetList } from "./lists.ts";
import {
  parseBoolean,
  parseCidrs,
  parseDomain,
  parseInteger,
  parseLabels,
  parseRateLimit,
  type RateLimit,
} from "./setting-values.ts";

/** One setting: how its text is read, and what a reader of the README must know of it. */
export interface Setting<T> {
  /** The value where nothing is set. */
  fallback: T;
  /** What the value is counted in, or its kind. */
  unit: string;
  /** What it does. */
  effect: string;
  /** What may go wrong by it. */
  risk?: string;
  /** The rest of the sentence "PORT is …, expected". */
  expected: string;
  /** True where blanks around the text belong to it. */
  isVerbatim?: boolean;
  /** Reads the text of a value; `undefined` when it is bad. */
  parse(text: string): T | undefined;
}

const setting = <T>(value: Setting<T>): Setting<T> => value;

/** Every setting by its option name; `proxyDomain` is `PROXY_DOMAIN` and `--proxy-domain`. */
export const SETTINGS = {
  host: setting<string>({
    fallback: "127.0.0.1",
    unit: "address",
    effect: "The address that the proxy listens on.",
    risk: "Anything but a loopback address opens the proxy to others.",
    expected: "a host name or IP address",
    parse: (text) => (/^[^\s/]+$/.test(text) ? text.replace(/^\[(.*)\]$/, "$1") : undefined),
  }),
  port: setting<number>({
    fallback: 8080,
    unit: "port",
    effect: "The port that the proxy listens on; 0 takes a free one.",
    expected: "a whole number from 0 to 65535",
    parse: (text) => parseInteger(text, 0, 65535),
  }),
  proxyDomain: setting<string>({
    fallback: "localhost",
    unit: "domain",
    effect: "`<label>.w.<domain>` in Host names a target.",
    expected: "a domain name such as proxy.example.com",
    parse: parseDomain,
  }),
  proxyLabels: setting<ReadonlyMap<string, Address>>({
    fallback: new Map(),
    unit: "label=base,…",
    effect: "Labels of your own, before the ones that spell a host.",
    expected: "a list such as api=https://api.example.com,docs=https://docs.example.com/v1",
    parse: parseLabels,
  }),
  target: setting<Address | undefined>({
    fallback: undefined,
    unit: "base",
    effect: "Where requests go that name no target.",
    expected: "a base address such as https://example.com",
    parse: decodeBase,
  }),
  allowTargets: setting<TargetList>({
    fallback: [],
    unit: "list",
    effect:
      "The only targets that may be reached: hosts, `*.suffix`, addresses, CIDRs, each with an optional port.",
    risk: "A host, address or CIDR in it is allowed when it is private, too.",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    parse: decodeTargetList,
  }),
  denyTargets: setting<TargetList>({
    fallback: [],
    unit: "list",
    effect: "Targets that may not be reached, in the same form; it wins over `ALLOW_TARGETS`.",
    expected: "a list such as api.example.com,*.example.org,10.0.0.0/8:8080",
    parse: decodeTargetList,
  }),
  privateTargets: setting<boolean | "auto">({
    fallback: "auto",
    unit: "true/false/auto",
    effect:
      "Allows loopback, private and other internal addresses; `auto`: while listener and Host are loopback.",
    risk: "`true` on a public proxy opens its network to everyone. Behind another proxy set `false`.",
    expected: "true, false or auto",
    parse: (text) => (text.toLowerCase() === "auto" ? "auto" : parseBoolean(text)),
  }),
  corsOrigins: setting<CorsOrigins | undefined>({
    fallback: undefined,
    unit: "* or list",
    effect: "Pages of these origins may read every answer; `*` stands for all, without credentials.",
    risk: "A listed page may use everything that the proxy reaches.",
    expected: "* or a list such as https://app.example.com,http://localhost:5173",
    parse: decodeCorsOrigins,
  }),
  proxyToken: setting<string>({
    fallback: "",
    unit: "secret",
    effect:
      "Callers must show it: `proxy_token` as header or cookie, `Proxy-Authorization: Bearer`, `token=` on `/__proxy__/*`.",
    expected: "visible ASCII without comma and semicolon",
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) && !/[,;"]/.test(text) ? text : undefined),
  }),
  signingKey: setting<string>({
    fallback: "",
    unit: "secret",
    effect: "Links with `arg` or `url` may carry `exp` and `sig` in place of the token.",
    expected: "any text",
    isVerbatim: true,
    parse: (text) => text || undefined,
  }),
  trustedProxies: setting<readonly Cidr[]>({
    fallback: [],
    unit: "list",
    effect: "Peers whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.",
    risk: "Anyone in it can claim any address.",
    expected: "a list of addresses and CIDRs such as 127.0.0.1,10.0.0.0/8",
    parse: parseCidrs,
  }),
  maxConcurrent: setting<number>({
    fallback: 0,
    unit: "requests",
    effect: "How many requests may be in flight; more are a 503. 0 sets no limit.",
    expected: "a whole number, 0 or more",
    parse: (text) => parseInteger(text, 0, Number.MAX_SAFE_INTEGER),
  }),
  rateLimit: setting<RateLimit | undefined>({
    fallback: undefined,
    unit: "requests/time",
    effect: "How many requests a caller may make in a time; more are a 429.",
    expected: "requests per seconds such as 100/60s",
    parse: parseRateLimit,
  }),
  timeoutMs: setting<number>({
    fallback: 30_000,
    unit: "ms",
    effect: "How long a target may take until its response headers are here; 0 waits for ever.",
    expected: "a whole number of milliseconds, 0 or more",
    parse: (text) => parseInteger(text, 0, 2_147_483_647),
  }),
  idleTimeoutMs: setting<number>({
    fallback: 300_000,
    unit: "ms",
    effect:
      "How long a body may pause between two chunks; 0 for ever. Event streams and WebSockets may pause.",
    expected: "a whole number of milliseconds, 0 or more",
    parse: (text) => parseInteger(text, 0, 2_147_483_647),
  }),
  maxRequestBytes: setting<number>({
    fallback: 0,
    unit: "bytes",
    effect: "How large a request body may be; larger ones are a 413. 0 sets no limit.",
    expected: "a whole number of bytes, 0 or more",
    parse: (text) => parseInteger(text, 0, Number.MAX_SAFE_INTEGER),
  }),
  maxResponseBytes: setting<number>({
    fallback: 0,
    unit: "bytes",
    effect: "How large an answer may be: announced larger is a 502, growing past it is cut. 0 sets no limit.",
    expected: "a whole number of bytes, 0 or more",
    parse: (text) => parseInteger(text, 0, Number.MAX_SAFE_INTEGER),
  }),
  maxRedirects: setting<number>({
    fallback: 20,
    unit: "hops",
    effect: "How many redirects are followed for `arg` and `url`; more are a 502.",
    expected: "a whole number from 0 to 100",
    parse: (text) => parseInteger(text, 0, 100),
  }),
  forwardClient: setting<boolean>({
    fallback: false,
    unit: "true/false",
    effect: "Tells targets who called: `Forwarded` and `X-Forwarded-For/-Proto/-Host`, made of facts.",
    risk: "Targets learn the addresses of your callers.",
    expected: "true or false",
    parse: parseBoolean,
  }),
  via: setting<string>({
    fallback: "",
    unit: "pseudonym",
    effect: "Adds `Via: 1.1 <pseudonym>` to requests and answers.",
    risk: "A stock nginx target stops compressing when it sees `Via`.",
    expected: "a name of letters, digits, dots, hyphens and underscores",
    parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
  }),
  log: setting<"auto" | LogFormat | "off">({
    fallback: "auto",
    unit: "text/json/off",
    effect: "Writes one line for each request to stdout; by default text on a terminal, else JSON.",
    expected: "text, json or off",
    parse: (text) => (["text", "json", "off"] as const).find((format) => format === text.toLowerCase()),
  }),
  metrics: setting<boolean>({
    fallback: false,
    unit: "true/false",
    effect: "Serves counters at `/__proxy__/metrics` in the text format of Prometheus.",
    risk: "Whoever may use the proxy sees how it is used.",
    expected: "true or false",
    parse: parseBoolean,
  }),
  tlsCert: setting<string>({
    fallback: "",
    unit: "file",
    effect: "PEM file of the certificate chain; with `TLS_KEY` the proxy speaks https.",
    expected: "a readable PEM file",
    parse: (text) => text || undefined,
  }),
  tlsKey: setting<string>({
    fallback: "",
    unit: "file",
    effect: "PEM file of the private key.",
    expected: "a readable PEM file",
    parse: (text) => text || undefined,
  }),
  console: setting<boolean>({
    fallback: true,
    unit: "true/false",
    effect: "Shows browsers a page at `/__proxy__/`.",
    expected: "true or false",
    parse: parseBoolean,
  }),
};
