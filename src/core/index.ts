/**
 * `fetchvia/core`: the proxy without any of the parts that `fetchvia` adds, and the interface for parts of your own.
 *
 * It selects the target, decides who may reach it, and forwards. It has no console, capture, explain, metrics, table of targets,
 * callers' tokens, signed links, address forms or `proxy_headers`. `docs/parts.md` shows how to write a part.
 *
 * @example
 * ```ts
 * import { createProxy } from "fetchvia/core";
 *
 * const proxy = createProxy({ allowTargets: ["api.example.com"] }, [{
 *   name: "server-timing",
 *   rules: () => ({
 *     answer: (headers, { record }) => headers.append("server-timing", `proxy;dur=${Date.now() - record.time}`),
 *   }),
 * }]);
 * ```
 * @module
 */

import { adaptParts } from "./adapt-part.ts";
import type { OwnPart } from "./own-part.ts";
import { createProxyOf, type Proxy } from "./proxy.ts";
import { ConfigError, type Options, readOptions } from "./settings/config.ts";
import { withOptionNames } from "./settings/option-names.ts";
import { SETTINGS } from "./settings/settings.ts";

export { answerWith as createReply } from "./http/answer.ts";
export { type ErrorCode, ProxyError } from "./http/error.ts";
export type { Body } from "./http/body.ts";
export type { FieldReader, FieldWriter } from "./http/fields.ts";
export type { Reply } from "./http/reply.ts";
export type { OwnPart as Part, OwnRules as Rules, PartRecord, PartRequest } from "./own-part.ts";
export type { Asker } from "./who/asker.ts";
export type { HandedRequest } from "./exchange/web-standard.ts";
export type { Proxy } from "./proxy.ts";
export type { Incoming, Runtime } from "./runtime.ts";
export { ConfigError } from "./settings/config.ts";

/** The options that the core applies itself. */
export type CoreOptions = Omit<
  Options,
  | "addressForms"
  | "audit"
  | "callerTokens"
  | "capture"
  | "captureBytes"
  | "console"
  | "gate"
  | "metrics"
  | "revokedTokens"
  | "targets"
>;

/**
 * Makes a proxy of the core and these parts. Like that of `fetchvia`, it does not listen on a port.
 *
 * @param options each has a default
 * @param parts called in this order; none by default
 * @throws {ConfigError} when an option is unknown or bad, or is for a part that is not in the core, and for a bad part
 */
export function createProxy(options: CoreOptions = {}, parts: readonly OwnPart[] = []): Proxy {
  for (const [name, { part }] of Object.entries(SETTINGS)) {
    if (part && (options as Options)?.[name as keyof Options] !== undefined) {
      throw new ConfigError(
        `Cannot use option ${name}: the part ${part} applies it, expected none here. Use createProxy of fetchvia`,
      );
    }
  }
  const config = readOptions(options);
  const adapted = adaptParts(parts);
  return withOptionNames(() =>
    createProxyOf({ ...config, console: false }, { isEmbedded: true }, () => adapted)
  );
}
