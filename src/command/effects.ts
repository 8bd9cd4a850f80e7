/**
 * What each setting does and is about, for `--help`, the README and the type of the options. A proxy that runs needs none of it.
 * @module
 */

import type { Config } from "../core/settings/setting.ts";

/** What a setting is about: the headings of `--help` and of the settings page, in this order. */
export type Group = "listen" | "targets" | "access" | "limits" | "output";

/** The documentation of a setting. */
export interface Effect {
  /** What the setting is about, and the unit or kind of its value. */
  kind: readonly [group: Group, unit: string];
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
    kind: ["listen", "address"],
    effect: "Address to listen on.",
    risk: "Any other address than loopback opens the proxy to other machines.",
  },
  port: {
    kind: ["listen", "port"],
    effect: "Port to listen on. 0 picks a free one.",
  },
  workers: {
    kind: ["listen", "processes"],
    effect: "Number of processes that share the port. One per core is best.",
  },
  proxyDomain: {
    kind: ["targets", "domain"],
    effect: "Domain of host labels: a Host of `<label>.w.<domain>` names a target.",
  },
  mountPath: {
    kind: ["listen", "path"],
    effect: "Path of the proxy in a server that also serves other paths, such as `/proxy`.",
    risk: "Your own pages share their origin and cookies with the targets.",
  },
  proxyLabels: {
    kind: ["targets", "label=base,…"],
    effect: "Your own labels. They win over labels that spell a host.",
  },
  target: {
    kind: ["targets", "base"],
    effect: "Default target for requests that name none.",
  },
  addressForms: {
    kind: ["targets", "list"],
    effect:
      "Reads addresses as other proxies take them: `cors-anywhere` (`/https://…`), `corsproxy` (`/?url=…`, `/?https://…`), `scalar` (`/?scalar_url=…`) and `git` (git requests to `/github.com/…`). They mean the same as `/__proxy__/?url=…`, and count only where nothing else names a target.",
  },
  targets: {
    kind: ["targets", "file"],
    type: "string | Readonly<Record<string, unknown>>",
    effect:
      "Table of targets: fields to set, keys, methods, paths, limits and certificates of each. A JSON file, which is read again when it changes, or the JSON itself.",
    risk: "Whoever may use the proxy spends the keys in it.",
  },
  allowTargets: {
    kind: ["access", "list"],
    effect:
      "The only targets that may be reached: hosts, `*.suffix`, IP addresses or CIDRs, each with an optional port.",
    risk: "A listed host, IP address or CIDR is allowed even if it is private.",
  },
  denyTargets: {
    kind: ["access", "list"],
    effect: "Targets that may not be reached, in the same form. It wins over `ALLOW_TARGETS`.",
  },
  privateTargets: {
    kind: ["access", "true/false/auto or auto,name,…"],
    type: 'boolean | "true" | "false" | "auto" | `auto,${string}` | readonly string[]',
    effect:
      "Whether loopback, private and other internal addresses may be reached. `auto` allows them while the proxy listens on loopback and the Host is a loopback name. In `auto`, pages reach them only by private names, or by names in the list.",
    risk:
      "`true` on a public proxy opens its network to everyone. Behind another proxy, set `false`. Pages may reach what the list names.",
  },
  hosts: {
    kind: ["access", "list"],
    effect:
      "Further host names of this proxy, beside loopback names, IP addresses and `PROXY_DOMAIN`. Without a token, only requests to a known name reach private targets. Same form as `ALLOW_TARGETS`, without `*`.",
    risk: "Whoever controls the DNS of a listed name can send its visitors to private targets.",
  },
  trustNames: {
    kind: ["access", "true/false"],
    effect:
      "Allows host names whose addresses cannot be checked. Only for `createProxy` without a runtime that looks names up.",
    risk: "A name may resolve to loopback, private networks or cloud metadata.",
  },
  upstreamProxy: {
    kind: ["targets", "address/env"],
    effect:
      "Another proxy that targets are reached through, by CONNECT or SOCKS 5. Loopback and private targets are reached directly. `env` reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.",
    risk: "The other proxy sees the addresses of your targets, and all that is sent to `http:` ones.",
  },
  noUpstream: {
    kind: ["targets", "list"],
    effect: "Targets that are reached directly all the same. Same form as `ALLOW_TARGETS`.",
  },
  upstreamDns: {
    kind: ["targets", "local/remote"],
    type: '"local" | "remote"',
    effect:
      "Who looks the names of targets up for `UPSTREAM_PROXY`: this proxy, or with `remote` the other one. Private names are always looked up here.",
    risk: "With `remote` a name may lead to whatever the other proxy reaches: nobody checks its address.",
  },
  corsOrigins: {
    kind: ["access", "* or list"],
    effect: "Origins whose pages may read every response. `*` allows all, without credentials.",
    risk: "Pages of a listed origin may use everything that the proxy can reach.",
  },
  proxyToken: {
    kind: ["access", "secret"],
    effect:
      "Token that callers must send: as header or cookie `proxy_token`, as `Proxy-Authorization: Bearer`, or on `/__proxy__/*` as `token=` or `Authorization: Bearer` (not with `url` and `at`, where that is the target's).",
  },
  signingKey: {
    kind: ["access", "secret"],
    effect:
      "Key for signed links: an `arg` or `url` link with `sig` (and `exp`) needs no token. Also the key of callers' tokens, see `fetchvia token`.",
  },
  callerTokens: {
    kind: ["access", "true/false"],
    effect:
      "Whether every caller must show a token of its own, made with `SIGNING_KEY`, or `PROXY_TOKEN`. With `false`, a token that is shown still limits its caller.",
  },
  revokedTokens: {
    kind: ["access", "list"],
    effect:
      "Ids of callers' tokens that are refused. `@revoked.txt` names a file with one id per line, which is read again when it changes.",
  },
  gate: {
    kind: ["access", "enforce/report"],
    type: '"enforce" | "report"',
    effect:
      "What happens to requests that the table of targets or a caller's token does not allow. `report` lets them pass without a key, and `AUDIT` records each as `would_refuse`.",
    risk:
      "In `report`, whoever has any caller's token reaches all that the other settings allow, private targets too where they do.",
  },
  trustedProxies: {
    kind: ["access", "list"],
    effect: "Front proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.",
    risk: "Whoever calls from a listed address can claim any client address.",
  },
  maxConcurrent: {
    kind: ["limits", "requests"],
    effect: "Maximum number of concurrent requests. More get a 503. 0 means no limit.",
  },
  rateLimit: {
    kind: ["limits", "requests/window"],
    effect: "How many requests a caller may make per time window. More get a 429.",
  },
  rateLimitStore: {
    kind: ["limits", "address"],
    effect:
      "Redis or Valkey server that counts for `RATE_LIMIT`. All proxies that use it share the limit. While it is down, each process counts on its own.",
    risk: "The server sees the IP addresses of your callers.",
  },
  timeoutMs: {
    kind: ["limits", "ms"],
    effect: "Timeout for the response headers of a target. 0 means no timeout.",
  },
  idleTimeoutMs: {
    kind: ["limits", "ms"],
    effect:
      "Timeout between two chunks of a body. It does not apply to event streams and WebSockets. A caller or target that takes none of the bytes that wait for it is cut after as long, event streams and WebSockets included. 0 means no timeout, but 300000 for those that take nothing.",
  },
  maxRequestBytes: {
    kind: ["limits", "bytes"],
    effect:
      "Maximum size of a request body. Larger ones get a 413. 0 means no limit, but a posted argument may never exceed 8 MiB.",
  },
  maxResponseBytes: {
    kind: ["limits", "bytes"],
    effect:
      "Maximum size of a response body. A larger `Content-Length` gets a 502. A stream that grows past it is cut. 0 means no limit.",
  },
  maxRedirects: {
    kind: ["limits", "hops"],
    effect: "Maximum number of redirects that `arg` and `url` follow. More get a 502.",
  },
  forwardClient: {
    kind: ["targets", "true/false"],
    effect:
      "Tells targets who called: adds `Forwarded` and `X-Forwarded-For/-Proto/-Host`, and leaves `Origin` and `Referer` as they were sent.",
    risk: "Targets see the IP addresses of your callers.",
  },
  via: {
    kind: ["targets", "pseudonym"],
    effect: "Adds `Via: 1.1 <pseudonym>` to requests and responses.",
    risk: "nginx targets with default settings stop compressing when they see `Via`.",
  },
  log: {
    kind: ["output", "text/json/off/auto"],
    effect:
      "Format of the log: one line per request on stdout. `auto` writes text on a terminal (with colours, unless `NO_COLOR` is set) and JSON elsewhere.",
  },
  audit: {
    kind: ["output", "file"],
    type: "string | ((line: string) => unknown)",
    effect:
      "Records every decision about a target as a line of JSON, before it takes effect: in a file, or on stderr. Requests that it can't record are refused, unless `,loose` stands behind it. In code also a function that takes each line.",
    risk: "The file holds the hosts and paths of all callers.",
  },
  metrics: {
    kind: ["output", "true/false"],
    effect: "Serves Prometheus metrics at `/__proxy__/metrics`.",
    risk: "Everyone who may use the proxy can read them.",
  },
  tlsCert: {
    kind: ["listen", "file"],
    effect:
      "PEM file with the certificate chain. With `TLS_KEY`, the proxy serves https. SIGHUP reads both again.",
  },
  tlsKey: {
    kind: ["listen", "file"],
    effect: "PEM file with the private key.",
  },
  console: {
    kind: ["output", "true/false"],
    effect: "Shows the console to browsers at `/__proxy__/`.",
  },
  capture: {
    kind: ["output", "off/console/heads/size"],
    type: '"off" | "console" | "heads" | `${number}` | `${number}KiB` | `${number}MiB` | number',
    effect:
      "Keeps requests and responses in memory for the console: their headers, or also so many bytes of each body. `console` keeps those of callers on this machine while a console is open, with 1 MiB of each body. The console can switch it, too.",
    risk:
      "Who may see live traffic can read what passes. Secrets in headers are masked; those in bodies are not.",
  },
  captureBytes: {
    kind: ["output", "size"],
    type: "`${number}` | `${number}KiB` | `${number}MiB` | `${number}GiB` | number",
    effect: "Most memory for what `CAPTURE` keeps. The oldest requests are dropped.",
  },
};
