/**
 * fetchvia: a forwarding proxy as a function from `Request` to `Response`.
 *
 * `createProxy` makes one; `fetchvia/bun`, `fetchvia/deno`, `fetchvia/node` and `fetchvia/worker` lend it what the
 * runtime can do beyond Web standards.
 *
 * @example
 * ```ts
 * import { createProxy } from "fetchvia";
 * import { runtime } from "fetchvia/bun";
 *
 * const proxy = createProxy({ allowTargets: ["api.example.com"] });
 * Bun.serve({
 *   idleTimeout: 0, // by default Bun cuts a response that pauses for 10 seconds
 *   fetch: (request, server) =>
 *     proxy.handle(request, { ...runtime, clientAddress: server.requestIP(request)?.address }),
 * });
 * ```
 * @module
 */

import type { Parts } from "./core/part.ts";
import { createProxyOf, type Proxy } from "./core/proxy.ts";
import type { Shared } from "./core/runtime.ts";
import { type Config, type Options, readOptions } from "./core/settings/config.ts";
import { withOptionNames } from "./core/settings/option-names.ts";
import { createGate } from "./parts/gate/gate.ts";
import { makeUsual } from "./parts/usual.ts";

export { type Config, ConfigError, type Options, readConfig } from "./core/settings/config.ts";
export { type ErrorCode, ProxyError } from "./core/http/error.ts";
export type { Addresses } from "./core/address/dns-cache.ts";
export { decodeArg, encodeArg } from "./core/address/arg.ts";
export { decodeLabel, encodeLabel } from "./core/address/label.ts";
export { mintToken, type TokenOptions } from "./parts/tokens/mint.ts";
export type { Proxy } from "./core/proxy.ts";
export type { HandedRequest } from "./core/exchange/web-standard.ts";
export type {
  HandedBody,
  Incoming,
  Outgoing,
  RateStore,
  Runtime,
  Send,
  Shared,
  Upstream,
} from "./core/runtime.ts";
export type { Body } from "./core/http/body.ts";
export type { FieldReader } from "./core/http/fields.ts";
export type { Signal } from "./core/http/cancellation.ts";
export { VERSION } from "./core/settings/version.ts";

/**
 * Makes a proxy. It does not listen on a port: pass it the requests of your server.
 *
 * @param options each has a default
 * @param shared the state that it shares with other processes of the same proxy; none by default
 * @throws {ConfigError} when an option is unknown or bad
 * @example
 * ```ts
 * const proxy = createProxy({ allowTargets: ["api.example.com"], timeoutMs: 10_000 });
 * const response = await proxy.fetch(request);
 * ```
 */
export function createProxy(options: Options = {}, shared: Shared = {}): Proxy {
  const config = readOptions(options);
  return withOptionNames(() => createConfiguredProxy(config, { ...shared, isEmbedded: true }));
}

/**
 * Makes a proxy from settings that were read with `readConfig`, as the entries do.
 *
 * @throws {ConfigError} when a setting requires something that is missing
 * @example
 * ```ts
 * const proxy = createConfiguredProxy(readConfig(process.env));
 * ```
 */
export function createConfiguredProxy(config: Config, lent: Parts = {}): Proxy {
  return createProxyOf(config, lent, makeUsual, createGate);
}
