/**
 * What each setting does and is about, for `--help`, the README and the type of the options. A proxy that runs needs none of it.
 * @module
 */

import type { Config } from "./setting.ts";

/** What a setting is about: the headings of `--help` and of the settings page, in this order. */
export type Group = "listen" | "targets" | "access" | "limits" | "output";

/** The documentation of a setting. */
export interface Effect {
  /** What the setting is about. */
  group: Group;
  /** Unit or kind of the value. */
  unit: string;
  /** The TypeScript type of the option, if it is narrower than the parsers imply; see `scripts/settings/options.ts`. */
  type?: string;
  /** What it does. */
  effect: string;
  /** The risk of setting it. */
  risk?: string;
}

/** Every setting by its option name, in the order of the table. */
export const EFFECTS: { readonly [K in keyof Config]: Effect } = {
  host: {
    group: "listen",
    unit: "address",
    effect: "Address to listen on.",
    risk: "Any other address than loopback opens the proxy to other machines.",
  },
  port: {
    group: "listen",
    unit: "port",
    effect: "Port to listen on. 0 picks a free one.",
  },
  workers: {
    group: "listen",
    unit: "processes",
    effect: "Number of processes that share the port. One per core is best.",
  },
  proxyDomain: {
    group: "targets",
    unit: "domain",
    effect: "Domain of host labels: a Host of `<label>.w.<domain>` names a target.",
  },
  mountPath: {
    group: "listen",
    unit: "path",
    effect: "Path of the proxy in a server that also serves other paths, such as `/proxy`.",
    risk: "Your own pages share their origin and cookies with the targets.",
  },
  proxyLabels: {
    group: "targets",
    unit: "label=base,…",
    effect: "Your own labels. They win over labels that spell a host.",
  },
  target: {
    group: "targets",
    unit: "base",
    effect: "Default target for requests that name none.",
  },
  addressForms: {
    group: "targets",
    unit: "list",
    effect:
      "Reads addresses as other proxies take them: `cors-anywhere` (`/https://…`), `corsproxy` (`/?url=…`, `/?https://…`), `scalar` (`/?scalar_url=…`) and `git` (git requests to `/github.com/…`). They mean the same as `/__proxy__/?url=…`, and count only where nothing else names a target.",
  },
  targets: {
    group: "targets",
    unit: "file",
    type: "string | Readonly<Record<string, unknown>>",
    effect:
      "Table of targets: fields to set, keys, methods, paths, limits and certificates of each. A JSON file, which is read again when it changes, or the JSON itself.",
    risk: "Whoever may use the proxy spends the keys in it.",
  },
  allowTargets: {
    group: "access",
    unit: "list",
    effect:
      "The only targets that may be reached: hosts, `*.suffix`, IP addresses or CIDRs, each with an optional port.",
    risk: "A listed host, IP address or CIDR is allowed even if it is private.",
  },
  denyTargets: {
    group: "access",
    unit: "list",
    effect: "Targets that may not be reached, in the same form. It wins over `ALLOW_TARGETS`.",
  },
  privateTargets: {
    group: "access",
    unit: "true/false/auto or auto,name,…",
    type: 'boolean | "true" | "false" | "auto" | `auto,${string}` | readonly string[]',
    effect:
      "Whether loopback, private and other internal addresses may be reached. `auto` allows them while the proxy listens on loopback and the Host is a loopback name. In `auto`, pages reach them only by private names, or by names in the list.",
    risk:
      "`true` on a public proxy opens its network to everyone. Behind another proxy, set `false`. Pages may reach what the list names.",
  },
  hosts: {
    group: "access",
    unit: "list",
    effect:
      "Further host names of this proxy, beside loopback names, IP addresses and `PROXY_DOMAIN`. Without a token, only requests to a known name reach private targets. Same form as `ALLOW_TARGETS`, without `*`.",
    risk: "Whoever controls the DNS of a listed name can send its visitors to private targets.",
  },
  trustNames: {
    group: "access",
    unit: "true/false",
    effect:
      "Allows host names whose addresses cannot be checked. Only for `createProxy` without a runtime that looks names up.",
    risk: "A name may resolve to loopback, private networks or cloud metadata.",
  },
  upstreamProxy: {
    group: "targets",
    unit: "address/env",
    effect:
      "Another proxy that targets are reached through, by CONNECT or SOCKS 5. Loopback and private targets are reached directly. `env` reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.",
    risk: "The other proxy sees the addresses of your targets, and all that is sent to `http:` ones.",
  },
  noUpstream: {
    group: "targets",
    unit: "list",
    effect: "Targets that are reached directly all the same. Same form as `ALLOW_TARGETS`.",
  },
  upstreamDns: {
    group: "targets",
    unit: "local/remote",
    type: '"local" | "remote"',
    effect:
      "Who looks the names of targets up for `UPSTREAM_PROXY`: this proxy, or with `remote` the other one. Private names are always looked up here.",
    risk: "With `remote` a name may lead to whatever the other proxy reaches: nobody checks its address.",
  },
  corsOrigins: {
    group: "access",
    unit: "* or list",
    effect: "Origins whose pages may read every response. `*` allows all, without credentials.",
    risk: "Pages of a listed origin may use everything that the proxy can reach.",
  },
  proxyToken: {
    group: "access",
    unit: "secret",
    effect:
      "Token that callers must send: as header or cookie `proxy_token`, as `Proxy-Authorization: Bearer`, or on `/__proxy__/*` as `token=` or `Authorization: Bearer` (not with `url` and `at`, where that is the target's).",
  },
  signingKey: {
    group: "access",
    unit: "secret",
    effect:
      "Key for signed links: an `arg` or `url` link with `sig` (and `exp`) needs no token. Also the key of callers' tokens, see `fetchvia token`.",
  },
  callerTokens: {
    group: "access",
    unit: "true/false",
    effect:
      "Whether every caller must show a token of its own, made with `SIGNING_KEY`, or `PROXY_TOKEN`. With `false`, a token that is shown still limits its caller.",
  },
  revokedTokens: {
    group: "access",
    unit: "list",
    effect:
      "Ids of callers' tokens that are refused. `@revoked.txt` names a file with one id per line, which is read again when it changes.",
  },
  gate: {
    group: "access",
    unit: "enforce/report",
    type: '"enforce" | "report"',
    effect:
      "What happens to requests that the table of targets or a caller's token does not allow. `report` lets them pass without a key, and `AUDIT` records each as `would_refuse`.",
    risk:
      "In `report`, whoever has any caller's token reaches all that the other settings allow, private targets too where they do.",
  },
  trustedProxies: {
    group: "access",
    unit: "list",
    effect: "Front proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.",
    risk: "Whoever calls from a listed address can claim any client address.",
  },
  maxConcurrent: {
    group: "limits",
    unit: "requests",
    effect: "Maximum number of concurrent requests. More get a 503. 0 means no limit.",
  },
  rateLimit: {
    group: "limits",
    unit: "requests/window",
    effect: "How many requests a caller may make per time window. More get a 429.",
  },
  rateLimitStore: {
    group: "limits",
    unit: "address",
    effect:
      "Redis or Valkey server that counts for `RATE_LIMIT`. All proxies that use it share the limit. While it is down, each process counts on its own.",
    risk: "The server sees the IP addresses of your callers.",
  },
  timeoutMs: {
    group: "limits",
    unit: "ms",
    effect: "Timeout for the response headers of a target. 0 means no timeout.",
  },
  idleTimeoutMs: {
    group: "limits",
    unit: "ms",
    effect:
      "Timeout between two chunks of a body. It does not apply to event streams and WebSockets. A caller or target that takes none of the bytes that wait for it is cut after as long, event streams and WebSockets included. 0 means no timeout, but 300000 for those that take nothing.",
  },
  maxRequestBytes: {
    group: "limits",
    unit: "bytes",
    effect:
      "Maximum size of a request body. Larger ones get a 413. 0 means no limit, but a posted argument may never exceed 8 MiB.",
  },
  maxResponseBytes: {
    group: "limits",
    unit: "bytes",
    effect:
      "Maximum size of a response body. A larger `Content-Length` gets a 502. A stream that grows past it is cut. 0 means no limit.",
  },
  maxRedirects: {
    group: "limits",
    unit: "hops",
    effect: "Maximum number of redirects that `arg` and `url` follow. More get a 502.",
  },
  forwardClient: {
    group: "targets",
    unit: "true/false",
    effect:
      "Tells targets who called: adds `Forwarded` and `X-Forwarded-For/-Proto/-Host`, and leaves `Origin` and `Referer` as they were sent.",
    risk: "Targets see the IP addresses of your callers.",
  },
  via: {
    group: "targets",
    unit: "pseudonym",
    effect: "Adds `Via: 1.1 <pseudonym>` to requests and responses.",
    risk: "nginx targets with default settings stop compressing when they see `Via`.",
  },
  log: {
    group: "output",
    unit: "text/json/off/auto",
    effect:
      "Format of the log: one line per request on stdout. `auto` writes text on a terminal (with colours, unless `NO_COLOR` is set) and JSON elsewhere.",
  },
  audit: {
    group: "output",
    unit: "file",
    type: "string | ((line: string) => unknown)",
    effect:
      "Records every decision about a target as a line of JSON, before it takes effect: in a file, or on stderr. Requests that it can't record are refused, unless `,loose` stands behind it. In code also a function that takes each line.",
    risk: "The file holds the hosts and paths of all callers.",
  },
  metrics: {
    group: "output",
    unit: "true/false",
    effect: "Serves Prometheus metrics at `/__proxy__/metrics`.",
    risk: "Everyone who may use the proxy can read them.",
  },
  tlsCert: {
    group: "listen",
    unit: "file",
    effect:
      "PEM file with the certificate chain. With `TLS_KEY`, the proxy serves https. SIGHUP reads both again.",
  },
  tlsKey: {
    group: "listen",
    unit: "file",
    effect: "PEM file with the private key.",
  },
  console: {
    group: "output",
    unit: "true/false",
    effect: "Shows the console to browsers at `/__proxy__/`.",
  },
  capture: {
    group: "output",
    unit: "off/console/heads/size",
    type: '"off" | "console" | "heads" | `${number}` | `${number}KiB` | `${number}MiB` | number',
    effect:
      "Keeps requests and responses in memory for the console: their headers, or also so many bytes of each body. `console` keeps those of callers on this machine while a console is open, with 1 MiB of each body. The console can switch it, too.",
    risk:
      "Who may see live traffic can read what passes. Secrets in headers are masked; those in bodies are not.",
  },
  captureBytes: {
    group: "output",
    unit: "size",
    type: "`${number}` | `${number}KiB` | `${number}MiB` | `${number}GiB` | number",
    effect: "Most memory for what `CAPTURE` keeps. The oldest requests are dropped.",
  },
};
