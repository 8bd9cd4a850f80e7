/**
 * fetchvia: a forwarding proxy as a function from `Request` to `Response`.
 * @module
 */

export {
  type Config,
  ConfigError,
  environmentName,
  flagName,
  type Options,
  type OptionValue,
  readConfig,
} from "./config.ts";
export { type ErrorCode, ProxyError } from "./error.ts";
export { decodeLabel, encodeLabel } from "./label.ts";
export { createConfiguredProxy, createProxy, type Proxy } from "./proxy.ts";
export { formatRecord, type LogFormat } from "./log.ts";
export { type RecordSink, RequestRecord } from "./record.ts";
export type { Body, Incoming, Outgoing, Runtime, Send, Upstream } from "./runtime.ts";
export { type Setting, SETTINGS } from "./settings.ts";
export { VERSION } from "./version.ts";
