/**
 * Creates the parts of a proxy that depend on the process: the log, the record of decisions, the rate-limit store and the table of targets.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import type { Parts } from "../../core/part.ts";
import { openAudit } from "./audit-file.ts";
import type { Reread } from "./reread.ts";
import { openTargets } from "./targets-file.ts";
import { openRevoked } from "./revoked-file.ts";
import type { RateStore, Shared } from "../../core/runtime.ts";
import { createLog, writeError } from "./write-log.ts";
import type { Decompress } from "../../core/shared.ts";

/**
 * Makes the parts of a proxy: a single process, or one of several that share state.
 *
 * @param isOpen false if only this machine can reach the listener
 * @param stopped ends the watching of files, and closes what is open; without it, both go on for ever
 * @throws {ConfigError} (as a rejection) if the table of targets is bad
 */
export async function createParts(
  config: Config,
  shared: Shared = {},
  isOpen = true,
  stopped?: AbortSignal,
): Promise<Parts & { rereads: Reread[] }> {
  const { gate, rereads: ofTargets } = openTargets(config, isOpen, stopped);
  const { write: audit, rereads: ofAudit } = openAudit(config, stopped);
  const rereads = [...ofTargets, ...openRevoked(config, gate, stopped), ...ofAudit];
  const rateStore = await openRateStore(config, stopped) ?? shared.rateStore;
  return {
    decompress: decompressLater,
    ...shared,
    log: createLog(config),
    audit,
    rateStore,
    settings: gate,
    rereads,
  };
}

/** Opens the store in `RATE_LIMIT_STORE`; `undefined` if none is set. */
async function openRateStore(
  { rateLimit, rateLimitStore, signingKey }: Config,
  stopped?: AbortSignal,
): Promise<RateStore | undefined> {
  // With a signing key, callers' tokens may have a rate too.
  if (!(rateLimit || signingKey) || !rateLimitStore) return undefined;
  const { openRedisStore } = await import("./redis.ts");
  return await openRedisStore(rateLimitStore, (reason) => {
    const state = reason
      ? `fails (${reason}): this process counts by itself until it is back`
      : "is back: it counts again";
    writeError(`fetchvia: the store in RATE_LIMIT_STORE ${state}`);
  }, stopped);
}

/** Loads `zlib` with the first body that the console decodes: on Node it takes a hundred kilobytes of heap. */
const decompressLater: Decompress = async (...body) => (await import("./decompress.ts")).decompress(...body);
