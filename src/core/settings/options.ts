/**
 * The options of `createProxy`. Written by `npm run settings` from the table of settings: change that one.
 * @module
 */

/**
 * The options of `createProxy`. Each one may be left out or `undefined`, and has its default then.
 *
 * Text means the same as in the environment, and blanks around it do not count. `host`, `port`, `workers`, `tlsCert`,
 * `tlsKey` and `log` are no options: your own server listens and logs. Share a `rateStore` in place of a
 * `rateLimitStore`. A file in `audit` is refused: pass a function.
 *
 * @example
 * ```ts
 * const options: Options = { mountPath: "/proxy", allowTargets: ["*.example.com"], timeoutMs: 10_000 };
 * ```
 */
export interface Options {
  /**
   * Domain of host labels: a Host of `<label>.w.<domain>` names a target.
   *
   * Unit: domain. Expected: a domain name such as proxy.example.com.
   * Environment: `PROXY_DOMAIN`. Flag: `--proxy-domain`.
   *
   * @default "localhost"
   * @example createProxy({ proxyDomain: "proxy.example.com" });
   */
  readonly proxyDomain?: string | undefined;
  /**
   * Path of the proxy in a server that also serves other paths, such as `/proxy`.
   *
   * **Risk:** Your own pages share their origin and cookies with the targets.
   *
   * Unit: path. Expected: a path such as /proxy.
   * Environment: `MOUNT_PATH`. Flag: `--mount-path`.
   *
   * @default ""
   * @example createProxy({ mountPath: "/proxy" });
   */
  readonly mountPath?: string | undefined;
  /**
   * Your own labels. They win over labels that spell a host.
   *
   * Unit: label=base,…. Expected: a list such as
   * api=https://api.example.com,docs=https://docs.example.com/v1.
   * Environment: `PROXY_LABELS`. Flag: `--proxy-labels`.
   *
   * @default {}
   * @example createProxy({ proxyLabels: { api: "https://api.example.com", docs: "https://docs.example.com/v1" } });
   */
  readonly proxyLabels?: string | readonly string[] | Readonly<Record<string, string>> | undefined;
  /**
   * Default target for requests that name none.
   *
   * Unit: base. Expected: a base address such as https://example.com.
   * Environment: `TARGET`. Flag: `--target`.
   *
   * @default undefined
   * @example createProxy({ target: "https://example.com" });
   */
  readonly target?: string | undefined;
  /**
   * Reads addresses as other proxies take them: `cors-anywhere` (`/https://…`), `corsproxy` (`/?url=…`,
   * `/?https://…`), `scalar` (`/?scalar_url=…`) and `git` (git requests to `/github.com/…`). They mean
   * the same as `/__proxy__/?url=…`, and count only where nothing else names a target.
   *
   * Unit: list. Expected: a list of cors-anywhere, corsproxy, scalar and git, such as cors-anywhere,git.
   * Environment: `ADDRESS_FORMS`. Flag: `--address-forms`.
   *
   * @default []
   * @example createProxy({ addressForms: ["cors-anywhere", "git"] });
   */
  readonly addressForms?: string | readonly string[] | undefined;
  /**
   * Table of targets: fields to set, keys, methods, paths, limits and certificates of each. A JSON file,
   * which is read again when it changes, or the JSON itself.
   *
   * **Risk:** Whoever may use the proxy spends the keys in it.
   *
   * Unit: file. Expected: a JSON file such as targets.json, or a JSON object.
   * Environment: `TARGETS`. Flag: `--targets`.
   *
   * @default undefined
   * @example createProxy({ targets: "targets.json" });
   */
  readonly targets?: string | Readonly<Record<string, unknown>> | undefined;
  /**
   * The only targets that may be reached: hosts, `*.suffix`, IP addresses or CIDRs, each with an
   * optional port.
   *
   * **Risk:** A listed host, IP address or CIDR is allowed even if it is private.
   *
   * Unit: list. Expected: a list such as api.example.com,*.example.org,10.0.0.0/8:8080.
   * Environment: `ALLOW_TARGETS`. Flag: `--allow-targets`.
   *
   * @default []
   * @example createProxy({ allowTargets: ["api.example.com", "*.example.org", "10.0.0.0/8:8080"] });
   */
  readonly allowTargets?: string | readonly string[] | undefined;
  /**
   * Targets that may not be reached, in the same form. It wins over `allowTargets`.
   *
   * Unit: list. Expected: a list such as api.example.com,*.example.org,10.0.0.0/8:8080.
   * Environment: `DENY_TARGETS`. Flag: `--deny-targets`.
   *
   * @default []
   * @example createProxy({ denyTargets: ["api.example.com", "*.example.org", "10.0.0.0/8:8080"] });
   */
  readonly denyTargets?: string | readonly string[] | undefined;
  /**
   * Whether loopback, private and other internal addresses may be reached. `auto` allows them while the
   * proxy listens on loopback and the Host is a loopback name. In `auto`, pages reach them only by
   * private names, or by names in the list.
   *
   * **Risk:** `true` on a public proxy opens its network to everyone. Behind another proxy, set `false`.
   * Pages may reach what the list names.
   *
   * Unit: true/false/auto or auto,name,…. Expected: true, false, auto, or auto and a list such as
   * auto,staging.example.com,*.corp.example,10.0.0.0/8.
   * Environment: `PRIVATE_TARGETS`. Flag: `--private-targets`.
   *
   * @default "auto"
   * @example createProxy({ privateTargets: ["auto", "staging.example.com", "*.corp.example", "10.0.0.0/8"] });
   */
  readonly privateTargets?:
    | boolean
    | "true"
    | "false"
    | "auto"
    | `auto,${string}`
    | readonly string[]
    | undefined;
  /**
   * Further host names of this proxy, beside loopback names, IP addresses and `proxyDomain`. Without a
   * token, only requests to a known name reach private targets. Same form as `allowTargets`, without
   * `*`.
   *
   * **Risk:** Whoever controls the DNS of a listed name can send its visitors to private targets.
   *
   * Unit: list. Expected: a list such as proxy.example.com,*.proxy.example.com.
   * Environment: `HOSTS`. Flag: `--hosts`.
   *
   * @default []
   * @example createProxy({ hosts: ["proxy.example.com", "*.proxy.example.com"] });
   */
  readonly hosts?: string | readonly string[] | undefined;
  /**
   * Allows host names whose addresses cannot be checked. Only for `createProxy` without a runtime that
   * looks names up.
   *
   * **Risk:** A name may resolve to loopback, private networks or cloud metadata.
   *
   * Unit: true/false. Expected: true or false.
   * Environment: `TRUST_NAMES`. Flag: `--trust-names`.
   *
   * @default false
   */
  readonly trustNames?: boolean | "true" | "false" | undefined;
  /**
   * Another proxy that targets are reached through, by CONNECT or SOCKS 5. Loopback and private targets
   * are reached directly. `env` reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
   *
   * **Risk:** The other proxy sees the addresses of your targets, and all that is sent to `http:` ones.
   *
   * Unit: address/env. Expected: an address such as http://user:password@proxy.example.com:3128 (http,
   * https or socks5), or env.
   * Environment: `UPSTREAM_PROXY`. Flag: `--upstream-proxy`.
   *
   * @default undefined
   * @example createProxy({ upstreamProxy: "http://user:password@proxy.example.com:3128" });
   */
  readonly upstreamProxy?: string | undefined;
  /**
   * Targets that are reached directly all the same. Same form as `allowTargets`.
   *
   * Unit: list. Expected: a list such as api.example.com,*.example.org,203.0.113.0/24:8080.
   * Environment: `NO_UPSTREAM`. Flag: `--no-upstream`.
   *
   * @default []
   * @example createProxy({ noUpstream: ["api.example.com", "*.example.org", "203.0.113.0/24:8080"] });
   */
  readonly noUpstream?: string | readonly string[] | undefined;
  /**
   * Who looks the names of targets up for `upstreamProxy`: this proxy, or with `remote` the other one.
   * Private names are always looked up here.
   *
   * **Risk:** With `remote` a name may lead to whatever the other proxy reaches: nobody checks its
   * address.
   *
   * Unit: local/remote. Expected: local or remote.
   * Environment: `UPSTREAM_DNS`. Flag: `--upstream-dns`.
   *
   * @default "local"
   */
  readonly upstreamDns?: "local" | "remote" | undefined;
  /**
   * Origins whose pages may read every response. `*` allows all, without credentials.
   *
   * **Risk:** Pages of a listed origin may use everything that the proxy can reach.
   *
   * Unit: * or list. Expected: * or a list such as https://app.example.com,http://localhost:5173.
   * Environment: `CORS_ORIGINS`. Flag: `--cors-origins`.
   *
   * @default undefined
   * @example createProxy({ corsOrigins: ["https://app.example.com", "http://localhost:5173"] });
   */
  readonly corsOrigins?: string | readonly string[] | undefined;
  /**
   * Token that callers must send: as header or cookie `proxy_token`, as `Proxy-Authorization: Bearer`,
   * or on `/__proxy__/*` as `token=` or `Authorization: Bearer` (not with `url` and `at`, where that is
   * the target's).
   *
   * Unit: secret. Expected: visible ASCII without comma, semicolon and double quote.
   * Environment: `PROXY_TOKEN`. Flag: `--proxy-token`.
   *
   * @default ""
   */
  readonly proxyToken?: string | undefined;
  /**
   * Key for signed links: an `arg` or `url` link with `sig` (and `exp`) needs no token. Also the key of
   * callers' tokens, see `fetchvia token`.
   *
   * Unit: secret. Expected: more than blanks.
   * Environment: `SIGNING_KEY`. Flag: `--signing-key`.
   *
   * @default ""
   */
  readonly signingKey?: string | undefined;
  /**
   * Whether every caller must show a token of its own, made with `signingKey`, or `proxyToken`. With
   * `false`, a token that is shown still limits its caller.
   *
   * Unit: true/false. Expected: true or false.
   * Environment: `CALLER_TOKENS`. Flag: `--caller-tokens`.
   *
   * @default false
   */
  readonly callerTokens?: boolean | "true" | "false" | undefined;
  /**
   * Ids of callers' tokens that are refused. `@revoked.txt` names a file with one id per line, which is
   * read again when it changes.
   *
   * Unit: list. Expected: a list of ids such as ci,old-laptop, or @ and a file such as @revoked.txt.
   * Environment: `REVOKED_TOKENS`. Flag: `--revoked-tokens`.
   *
   * @default []
   * @example createProxy({ revokedTokens: ["ci", "old-laptop"] });
   */
  readonly revokedTokens?: string | readonly string[] | undefined;
  /**
   * What happens to requests that the table of targets or a caller's token does not allow. `report` lets
   * them pass without a key, and `audit` records each as `would_refuse`.
   *
   * **Risk:** In `report`, whoever has any caller's token reaches all that the other settings allow,
   * private targets too where they do.
   *
   * Unit: enforce/report. Expected: enforce or report.
   * Environment: `GATE`. Flag: `--gate`.
   *
   * @default "enforce"
   */
  readonly gate?: "enforce" | "report" | undefined;
  /**
   * Front proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
   *
   * **Risk:** Whoever calls from a listed address can claim any client address.
   *
   * Unit: list. Expected: a list of addresses and CIDRs such as 127.0.0.1,10.0.0.0/8.
   * Environment: `TRUSTED_PROXIES`. Flag: `--trusted-proxies`.
   *
   * @default []
   * @example createProxy({ trustedProxies: ["127.0.0.1", "10.0.0.0/8"] });
   */
  readonly trustedProxies?: string | readonly string[] | undefined;
  /**
   * Maximum number of concurrent requests. More get a 503. 0 means no limit.
   *
   * Unit: requests. Expected: a whole number from 0 to 999999999999999.
   * Environment: `MAX_CONCURRENT`. Flag: `--max-concurrent`.
   *
   * @default 0
   */
  readonly maxConcurrent?: number | `${number}` | undefined;
  /**
   * How many requests a caller may make per time window. More get a 429.
   *
   * Unit: requests/window. Expected: requests per time window such as 100/60s, 100/1m or 100/1h, at most
   * 999999999/596h.
   * Environment: `RATE_LIMIT`. Flag: `--rate-limit`.
   *
   * @default undefined
   * @example createProxy({ rateLimit: "100/60s" });
   */
  readonly rateLimit?: string | undefined;
  /**
   * Timeout for the response headers of a target. 0 means no timeout.
   *
   * Unit: ms. Expected: a whole number of milliseconds from 0 to 2147483647.
   * Environment: `TIMEOUT_MS`. Flag: `--timeout-ms`.
   *
   * @default 30000
   */
  readonly timeoutMs?: number | `${number}` | undefined;
  /**
   * Timeout between two chunks of a body. It does not apply to event streams and WebSockets. A caller or
   * target that takes none of the bytes that wait for it is cut after as long, event streams and
   * WebSockets included. 0 means no timeout, but 300000 for those that take nothing.
   *
   * Unit: ms. Expected: a whole number of milliseconds from 0 to 2147483647.
   * Environment: `IDLE_TIMEOUT_MS`. Flag: `--idle-timeout-ms`.
   *
   * @default 300000
   */
  readonly idleTimeoutMs?: number | `${number}` | undefined;
  /**
   * Maximum size of a request body. Larger ones get a 413. 0 means no limit, but a posted argument may
   * never exceed 8 MiB.
   *
   * Unit: bytes. Expected: a whole number of bytes from 0 to 999999999999999.
   * Environment: `MAX_REQUEST_BYTES`. Flag: `--max-request-bytes`.
   *
   * @default 0
   */
  readonly maxRequestBytes?: number | `${number}` | undefined;
  /**
   * Maximum size of a response body. A larger `Content-Length` gets a 502. A stream that grows past it
   * is cut. 0 means no limit.
   *
   * Unit: bytes. Expected: a whole number of bytes from 0 to 999999999999999.
   * Environment: `MAX_RESPONSE_BYTES`. Flag: `--max-response-bytes`.
   *
   * @default 0
   */
  readonly maxResponseBytes?: number | `${number}` | undefined;
  /**
   * Maximum number of redirects that `arg` and `url` follow. More get a 502.
   *
   * Unit: hops. Expected: a whole number from 0 to 100.
   * Environment: `MAX_REDIRECTS`. Flag: `--max-redirects`.
   *
   * @default 20
   */
  readonly maxRedirects?: number | `${number}` | undefined;
  /**
   * Tells targets who called: adds `Forwarded` and `X-Forwarded-For/-Proto/-Host`, and leaves `Origin`
   * and `Referer` as they were sent.
   *
   * **Risk:** Targets see the IP addresses of your callers.
   *
   * Unit: true/false. Expected: true or false.
   * Environment: `FORWARD_CLIENT`. Flag: `--forward-client`.
   *
   * @default false
   */
  readonly forwardClient?: boolean | "true" | "false" | undefined;
  /**
   * Adds `Via: 1.1 <pseudonym>` to requests and responses.
   *
   * **Risk:** nginx targets with default settings stop compressing when they see `Via`.
   *
   * Unit: pseudonym. Expected: a name of letters, digits, dots, hyphens and underscores.
   * Environment: `VIA`. Flag: `--via`.
   *
   * @default ""
   */
  readonly via?: string | undefined;
  /**
   * Records every decision about a target as a line of JSON, before it takes effect: in a file, or on
   * stderr. Requests that it can't record are refused, unless `,loose` stands behind it. In code also a
   * function that takes each line.
   *
   * **Risk:** The file holds the hosts and paths of all callers.
   *
   * Unit: file. Expected: stderr or the path of a file, either with ,loose behind it.
   * Environment: `AUDIT`. Flag: `--audit`.
   *
   * @default undefined
   */
  readonly audit?: string | ((line: string) => unknown) | undefined;
  /**
   * Serves Prometheus metrics at `/__proxy__/metrics`.
   *
   * **Risk:** Everyone who may use the proxy can read them.
   *
   * Unit: true/false. Expected: true or false.
   * Environment: `METRICS`. Flag: `--metrics`.
   *
   * @default false
   */
  readonly metrics?: boolean | "true" | "false" | undefined;
  /**
   * Shows the console to browsers at `/__proxy__/`.
   *
   * Unit: true/false. Expected: true or false.
   * Environment: `CONSOLE`. Flag: `--console`.
   *
   * @default true
   */
  readonly console?: boolean | "true" | "false" | undefined;
  /**
   * Keeps requests and responses in memory for the console: their headers, or also so many bytes of each
   * body. `console` keeps those of callers on this machine while a console is open, with 1 MiB of each
   * body. The console can switch it, too.
   *
   * **Risk:** Who may see live traffic can read what passes. Secrets in headers are masked; those in
   * bodies are not.
   *
   * Unit: off/console/heads/size. Expected: off, console, heads or a size from 1 to 16MiB such as 64KiB.
   * Environment: `CAPTURE`. Flag: `--capture`.
   *
   * @default "console"
   * @example createProxy({ capture: "64KiB" });
   */
  readonly capture?:
    | "off"
    | "console"
    | "heads"
    | `${number}`
    | `${number}KiB`
    | `${number}MiB`
    | number
    | undefined;
  /**
   * Most memory for what `capture` keeps. The oldest requests are dropped.
   *
   * Unit: size. Expected: a size from 1MiB to 4GiB such as 64MiB.
   * Environment: `CAPTURE_BYTES`. Flag: `--capture-bytes`.
   *
   * @default 67108864
   * @example createProxy({ captureBytes: "64MiB" });
   */
  readonly captureBytes?:
    | `${number}`
    | `${number}KiB`
    | `${number}MiB`
    | `${number}GiB`
    | number
    | undefined;
}
