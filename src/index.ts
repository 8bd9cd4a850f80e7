/**
 * fetchvia: a forwarding proxy as a function from `Request` to `Response`.
 * @module
 */

export {
  type Config,
  ConfigError,
  type Options,
  type OptionValue,
  readConfig,
  type Setting,
  SETTINGS,
} from "./config.ts";
export { type ErrorCode, ProxyError } from "./error.ts";
export { decodeLabel, encodeLabel } from "./label.ts";
export { createConfiguredProxy, createProxy, type Proxy } from "./proxy.ts";
export type { Body, Incoming, Outgoing, Runtime, Send, Upstream } from "./runtime.ts";
export { VERSION } from "./version.ts";
