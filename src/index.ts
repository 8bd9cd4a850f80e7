/**
 * fetchvia: a forwarding proxy as a function from `Request` to `Response`.
 * @module
 */

export { type Config, ConfigError, type Options, readConfig } from "./settings/config.ts";
export { type ErrorCode, ProxyError } from "./http/error.ts";
export { decodeArg, encodeArg } from "./address/arg.ts";
export { decodeLabel, encodeLabel } from "./address/label.ts";
export { createConfiguredProxy, createProxy, type Proxy } from "./proxy.ts";
export type {
  Incoming,
  Outgoing,
  RateStore,
  Runtime,
  Send,
  Shared,
  Upgrade,
  Upstream,
} from "./exchange/runtime.ts";
export { VERSION } from "./settings/version.ts";
