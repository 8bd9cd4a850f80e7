/**
 * The options of `createProxy`. Written by `bun scripts/settings.ts` from the table of settings: change that one.
 * @module
 */

/**
 * The options of `createProxy`. Each one may be left out or `undefined`, and has its default then.
 *
 * Text means the same as in the environment, and blanks around it do not count. `host`, `port`, `tlsCert`, `tlsKey` and
 * `log` do nothing here: your own server listens and logs. `workers` above 1 is refused, and so is `rateLimitStore`: share a
 * `rateStore` instead.
 *
 * @example
 * ```ts
 * const options: Options = { mountPath: "/proxy", allowTargets: ["*.example.com"], timeoutMs: 10_000 };
 * ```
 */
export interface Options {
  /**
   * The address that the proxy listens on.
   *
   * **Risk:** Anything but a loopback address opens the proxy to others.
   *
   * Unit: address. Expected: a host name or IP address.
   * Environment: `HOST`. Flag: `--host`.
   *
   * @default "127.0.0.1"
   */
  readonly host?: string | undefined;
  /**
   * The port that the proxy listens on; 0 takes a free one.
   *
   * Unit: port. Expected: a whole number from 0 to 65535.
   * Environment: `PORT`. Flag: `--port`.
   *
   * @default 8080
   */
  readonly port?: number | `${number}` | undefined;
  /**
   * How many processes serve the port side by side; one for each core is best.
   *
   * Unit: processes. Expected: a whole number from 1 to 1024.
   * Environment: `WORKERS`. Flag: `--workers`.
   *
   * @default 1
   */
  readonly workers?: number | `${number}` | undefined;
  /**
   * `<label>.w.<domain>` in Host names a target.
   *
   * Unit: domain. Expected: a domain name such as proxy.example.com.
   * Environment: `PROXY_DOMAIN`. Flag: `--proxy-domain`.
   *
   * @default "localhost"
   * @example
   * ```ts
   * createProxy({ proxyDomain: "proxy.example.com" });
   * ```
   */
  readonly proxyDomain?: string | undefined;
  /**
   * Where the proxy stands in a server that has other paths too, such as `/proxy`.
   *
   * **Risk:** Your own pages and cookies on that origin meet those of the targets.
   *
   * Unit: path. Expected: a path such as /proxy.
   * Environment: `MOUNT_PATH`. Flag: `--mount-path`.
   *
   * @default ""
   * @example
   * ```ts
   * createProxy({ mountPath: "/proxy" });
   * ```
   */
  readonly mountPath?: string | undefined;
  /**
   * Labels of your own, before the ones that spell a host.
   *
   * Unit: label=base,…. Expected: a list such as
   * api=https://api.example.com,docs=https://docs.example.com/v1.
   * Environment: `PROXY_LABELS`. Flag: `--proxy-labels`.
   *
   * @default {}
   * @example
   * ```ts
   * createProxy({ proxyLabels: { api: "https://api.example.com", docs: "https://docs.example.com/v1" } });
   * ```
   */
  readonly proxyLabels?: string | readonly string[] | Readonly<Record<string, string>> | undefined;
  /**
   * Where requests go that name no target.
   *
   * Unit: base. Expected: a base address such as https://example.com.
   * Environment: `TARGET`. Flag: `--target`.
   *
   * @default undefined
   * @example
   * ```ts
   * createProxy({ target: "https://example.com" });
   * ```
   */
  readonly target?: string | undefined;
  /**
   * The only targets that may be reached: hosts, `*.suffix`, addresses, CIDRs, each with an optional
   * port.
   *
   * **Risk:** A host, address or CIDR in it is allowed when it is private, too.
   *
   * Unit: list. Expected: a list such as api.example.com,*.example.org,10.0.0.0/8:8080.
   * Environment: `ALLOW_TARGETS`. Flag: `--allow-targets`.
   *
   * @default []
   * @example
   * ```ts
   * createProxy({ allowTargets: ["api.example.com", "*.example.org", "10.0.0.0/8:8080"] });
   * ```
   */
  readonly allowTargets?: string | readonly string[] | undefined;
  /**
   * Targets that may not be reached, in the same form; it wins over `allowTargets`.
   *
   * Unit: list. Expected: a list such as api.example.com,*.example.org,10.0.0.0/8:8080.
   * Environment: `DENY_TARGETS`. Flag: `--deny-targets`.
   *
   * @default []
   * @example
   * ```ts
   * createProxy({ denyTargets: ["api.example.com", "*.example.org", "10.0.0.0/8:8080"] });
   * ```
   */
  readonly denyTargets?: string | readonly string[] | undefined;
  /**
   * Allows loopback, private and other internal addresses; `auto`: while listener and Host are loopback,
   * and to pages only by names that are private themselves or stand in the list.
   *
   * **Risk:** `true` on a public proxy opens its network to everyone. Behind another proxy set `false`.
   * A page may reach what the list names.
   *
   * Unit: true/false/auto,list. Expected: true, false, auto, or auto and a list such as
   * auto,staging.example.com,*.corp.example,10.0.0.0/8.
   * Environment: `PRIVATE_TARGETS`. Flag: `--private-targets`.
   *
   * @default "auto"
   * @example
   * ```ts
   * createProxy({ privateTargets: ["auto", "staging.example.com", "*.corp.example", "10.0.0.0/8"] });
   * ```
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
   * Names of this proxy beside loopback, addresses and `proxyDomain`: without a token only requests with
   * such a Host reach private targets. Same form as `allowTargets`, without `*`.
   *
   * **Risk:** Whoever can point a name in it at the proxy can send its visitors to private targets.
   *
   * Unit: list. Expected: a list such as proxy.example.com,*.proxy.example.com.
   * Environment: `HOSTS`. Flag: `--hosts`.
   *
   * @default []
   * @example
   * ```ts
   * createProxy({ hosts: ["proxy.example.com", "*.proxy.example.com"] });
   * ```
   */
  readonly hosts?: string | readonly string[] | undefined;
  /**
   * Asks names whose addresses nobody can judge: in code, without a runtime that looks names up.
   *
   * **Risk:** A name may lead to loopback, private networks and cloud metadata.
   *
   * Unit: true/false. Expected: true or false.
   * Environment: `TRUST_NAMES`. Flag: `--trust-names`.
   *
   * @default false
   */
  readonly trustNames?: boolean | "true" | "false" | undefined;
  /**
   * Pages of these origins may read every answer; `*` stands for all, without credentials.
   *
   * **Risk:** A listed page may use everything that the proxy reaches.
   *
   * Unit: * or list. Expected: * or a list such as https://app.example.com,http://localhost:5173.
   * Environment: `CORS_ORIGINS`. Flag: `--cors-origins`.
   *
   * @default undefined
   * @example
   * ```ts
   * createProxy({ corsOrigins: ["https://app.example.com", "http://localhost:5173"] });
   * ```
   */
  readonly corsOrigins?: string | readonly string[] | undefined;
  /**
   * Callers must show it: `proxy_token` as header or cookie, `Proxy-Authorization: Bearer`, `token=` on
   * `/__proxy__/*`.
   *
   * Unit: secret. Expected: visible ASCII without comma, semicolon and double quote.
   * Environment: `PROXY_TOKEN`. Flag: `--proxy-token`.
   *
   * @default ""
   */
  readonly proxyToken?: string | undefined;
  /**
   * Links with `arg` or `url` may carry `exp` and `sig` in place of the token.
   *
   * Unit: secret. Expected: any text.
   * Environment: `SIGNING_KEY`. Flag: `--signing-key`.
   *
   * @default ""
   */
  readonly signingKey?: string | undefined;
  /**
   * Peers whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
   *
   * **Risk:** Anyone in it can claim any address.
   *
   * Unit: list. Expected: a list of addresses and CIDRs such as 127.0.0.1,10.0.0.0/8.
   * Environment: `TRUSTED_PROXIES`. Flag: `--trusted-proxies`.
   *
   * @default []
   * @example
   * ```ts
   * createProxy({ trustedProxies: ["127.0.0.1", "10.0.0.0/8"] });
   * ```
   */
  readonly trustedProxies?: string | readonly string[] | undefined;
  /**
   * How many requests may be in flight; more are a 503. 0 sets no limit.
   *
   * Unit: requests. Expected: a whole number from 0 to 999999999999999.
   * Environment: `MAX_CONCURRENT`. Flag: `--max-concurrent`.
   *
   * @default 0
   */
  readonly maxConcurrent?: number | `${number}` | undefined;
  /**
   * How many requests a caller may make in a time; more are a 429.
   *
   * Unit: requests/time. Expected: requests per time such as 100/60s, 100/1m or 100/1h, at most
   * 999999999/596h.
   * Environment: `RATE_LIMIT`. Flag: `--rate-limit`.
   *
   * @default undefined
   * @example
   * ```ts
   * createProxy({ rateLimit: "100/60s" });
   * ```
   */
  readonly rateLimit?: string | undefined;
  /**
   * A Redis or Valkey server that counts for `rateLimit`, so that all who share it share the limit.
   * While it fails, each process counts by itself.
   *
   * **Risk:** It sees the addresses of your callers.
   *
   * Unit: address. Expected: an address such as redis://:password@127.0.0.1:6379/0, or rediss: for TLS.
   * Environment: `RATE_LIMIT_STORE`. Flag: `--rate-limit-store`.
   *
   * @default ""
   * @example
   * ```ts
   * createProxy({ rateLimitStore: "redis://:password@127.0.0.1:6379/0" });
   * ```
   */
  readonly rateLimitStore?: string | undefined;
  /**
   * How long a target may take until its response headers are here; 0 waits for ever.
   *
   * Unit: ms. Expected: a whole number of milliseconds from 0 to 2147483647.
   * Environment: `TIMEOUT_MS`. Flag: `--timeout-ms`.
   *
   * @default 30000
   */
  readonly timeoutMs?: number | `${number}` | undefined;
  /**
   * How long a body may pause between two chunks; 0 for ever. Event streams and WebSockets may pause.
   *
   * Unit: ms. Expected: a whole number of milliseconds from 0 to 2147483647.
   * Environment: `IDLE_TIMEOUT_MS`. Flag: `--idle-timeout-ms`.
   *
   * @default 300000
   */
  readonly idleTimeoutMs?: number | `${number}` | undefined;
  /**
   * How large a request body may be; larger ones are a 413. 0 sets no limit. A posted argument may have
   * 8 MiB at most.
   *
   * Unit: bytes. Expected: a whole number of bytes from 0 to 999999999999999.
   * Environment: `MAX_REQUEST_BYTES`. Flag: `--max-request-bytes`.
   *
   * @default 0
   */
  readonly maxRequestBytes?: number | `${number}` | undefined;
  /**
   * How large an answer may be: announced larger is a 502, growing past it is cut. 0 sets no limit.
   *
   * Unit: bytes. Expected: a whole number of bytes from 0 to 999999999999999.
   * Environment: `MAX_RESPONSE_BYTES`. Flag: `--max-response-bytes`.
   *
   * @default 0
   */
  readonly maxResponseBytes?: number | `${number}` | undefined;
  /**
   * How many redirects are followed for `arg` and `url`; more are a 502.
   *
   * Unit: hops. Expected: a whole number from 0 to 100.
   * Environment: `MAX_REDIRECTS`. Flag: `--max-redirects`.
   *
   * @default 20
   */
  readonly maxRedirects?: number | `${number}` | undefined;
  /**
   * Tells targets who called: `Forwarded` and `X-Forwarded-For/-Proto/-Host`, made of facts.
   *
   * **Risk:** Targets learn the addresses of your callers.
   *
   * Unit: true/false. Expected: true or false.
   * Environment: `FORWARD_CLIENT`. Flag: `--forward-client`.
   *
   * @default false
   */
  readonly forwardClient?: boolean | "true" | "false" | undefined;
  /**
   * Adds `Via: 1.1 <pseudonym>` to requests and answers.
   *
   * **Risk:** A stock nginx target stops compressing when it sees `Via`.
   *
   * Unit: pseudonym. Expected: a name of letters, digits, dots, hyphens and underscores.
   * Environment: `VIA`. Flag: `--via`.
   *
   * @default ""
   */
  readonly via?: string | undefined;
  /**
   * Writes one line for each request to stdout; `auto`: text on a terminal (coloured, unless
   * `NO_COLOR`), else JSON.
   *
   * Unit: text/json/off/auto. Expected: text, json, off or auto.
   * Environment: `LOG`. Flag: `--log`.
   *
   * @default "auto"
   */
  readonly log?: "text" | "json" | "off" | "auto" | undefined;
  /**
   * Serves counters at `/__proxy__/metrics` in the text format of Prometheus.
   *
   * **Risk:** Whoever may use the proxy sees how it is used.
   *
   * Unit: true/false. Expected: true or false.
   * Environment: `METRICS`. Flag: `--metrics`.
   *
   * @default false
   */
  readonly metrics?: boolean | "true" | "false" | undefined;
  /**
   * PEM file of the certificate chain; with `tlsKey` the proxy speaks https.
   *
   * Unit: file. Expected: a readable PEM file.
   * Environment: `TLS_CERT`. Flag: `--tls-cert`.
   *
   * @default ""
   */
  readonly tlsCert?: string | undefined;
  /**
   * PEM file of the private key.
   *
   * Unit: file. Expected: a readable PEM file.
   * Environment: `TLS_KEY`. Flag: `--tls-key`.
   *
   * @default ""
   */
  readonly tlsKey?: string | undefined;
  /**
   * Shows browsers a page at `/__proxy__/`.
   *
   * Unit: true/false. Expected: true or false.
   * Environment: `CONSOLE`. Flag: `--console`.
   *
   * @default true
   */
  readonly console?: boolean | "true" | "false" | undefined;
}
