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
export { decodeArg, encodeArg } from "./arg.ts";
export { decodeLabel, encodeLabel } from "./label.ts";
export { createConfiguredProxy, createProxy, type Proxy } from "./proxy.ts";
export { formatRecord, type LogFormat } from "./log.ts";
export { type RecordSink, RequestRecord } from "./record.ts";
export { type Body, discard, isStreaming, readAlong, toFlow, toStandard } from "./body.ts";
export { type BodyWatch, FlowBody, type FlowSource, type Patience, type Sink } from "./flow-body.ts";
export { Cancellation, type Signal, toAbortSignal } from "./cancellation.ts";
export { type FieldReader, Fields, type FieldWriter } from "./fields.ts";
export { type Reply, toResponse } from "./reply.ts";
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
} from "./runtime.ts";
export type { Setting } from "./setting.ts";
export { SETTINGS } from "./settings.ts";
export type { Parts } from "./state.ts";
export { VERSION } from "./version.ts";
