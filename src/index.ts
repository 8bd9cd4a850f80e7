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
} from "./settings/config.ts";
export { type ErrorCode, ProxyError } from "./http/error.ts";
export { decodeArg, encodeArg } from "./address/arg.ts";
export { decodeLabel, encodeLabel } from "./address/label.ts";
export { createConfiguredProxy, createProxy, type Proxy } from "./proxy.ts";
export { formatRecord } from "./exchange/log.ts";
export { type Parts, type RecordSink, RequestRecord } from "./exchange/record.ts";
export { type Body, discard, isStreaming, readAlong, toFlow, toStandard } from "./http/body.ts";
export { type BodyWatch, FlowBody, type FlowSource, type Patience, type Sink } from "./http/flow.ts";
export { Cancellation, type Signal, toAbortSignal } from "./http/cancellation.ts";
export { type FieldReader, Fields, type FieldWriter } from "./http/fields.ts";
export { type Reply, toResponse } from "./exchange/reply.ts";
export type {
  Incoming,
  Outgoing,
  RateCount,
  RateStore,
  Runtime,
  Send,
  Shared,
  SocketWatch,
  TargetSocket,
  Upgrade,
  Upstream,
} from "./exchange/runtime.ts";
export type { LogFormat, Setting } from "./settings/setting.ts";
export { SETTINGS } from "./settings/settings.ts";
export { VERSION } from "./settings/version.ts";
