/**
 * Counts requests in a Redis or Valkey server, shared by all processes and machines that use it.
 * @module
 */

import { ConfigError } from "../../core/settings/config.ts";
import type { RateCount, RateStore } from "../../core/runtime.ts";

/** Timeout of the store in milliseconds. */
const PATIENCE_MS = 500;
/** Delay in milliseconds before a failed store is tried again, so that it slows down few requests. */
const PAUSE_MS = 1_000;
/** Maximum delay between attempts to reconnect, in milliseconds. */
const MOST_RETRY_MS = 2_000;

/** The reason for a store that has not answered in time. */
const LATE = "ETIMEDOUT";

/** Counts a request atomically; a caller's first request starts its window. */
const COUNT = `
  local requests = redis.call("INCR", KEYS[1])
  local left = redis.call("PTTL", KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call("PEXPIRE", KEYS[1], left)
  end
  return { requests, left }
`;

/** The client's method for the script. */
interface Counter {
  countRequest(key: string, ms: number): Promise<unknown>;
}

/** Called with a reason when the store fails, and without one when it is back. */
export type OnStoreChange = (reason: string | undefined) => void;

/**
 * Connects to the store; settles when it is ready, or cannot be reached at the moment.
 *
 * @param address the value of `RATE_LIMIT_STORE`
 * @param stopped closes the connection, which keeps the process running
 * @throws {ConfigError} if the client is not installed
 */
export async function openRedisStore(
  address: string,
  onChange: OnStoreChange,
  stopped?: AbortSignal,
): Promise<RateStore> {
  // The client is an optional package. Without these marks, bundlers fail if it is not installed.
  const { Redis } = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ "ioredis").catch(
    () => {
      throw new ConfigError(
        "RATE_LIMIT_STORE is set, expected the package ioredis beside it. Run npm install ioredis",
      );
    },
  );
  const client = new Redis(address, {
    connectionName: "fetchvia",
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    disconnectTimeout: PATIENCE_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, MOST_RETRY_MS),
    scripts: { countRequest: { lua: COUNT, numberOfKeys: 1 } },
  });
  const counter = client as typeof client & Counter;
  // The client would keep all of a reply that never ends.
  const watch = new Watch(onChange, () => client.disconnect(true));
  client.on("error", (error) => watch.fail(error));
  stopped?.addEventListener("abort", () => client.disconnect(), { once: true });
  await new Promise((resolve) => client.once("ready", resolve).once("error", resolve));
  return {
    count: (caller, seconds) =>
      watch.run(async () => {
        const key = `fetchvia:${seconds}s:${caller}`;
        return readCount(await counter.countRequest(key, seconds * 1_000));
      }),
  };
}

/** Tracks whether the store fails, and reports each change once. */
class Watch {
  readonly #onChange: OnStoreChange;
  readonly #onLate: () => void;
  #isLost = false;
  #pausedUntil = 0;

  /** @param onLate called when the store has not answered in time */
  constructor(onChange: OnStoreChange, onLate: () => void) {
    this.#onChange = onChange;
    this.#onLate = onLate;
  }

  fail(error: unknown): void {
    this.#pausedUntil = performance.now() + PAUSE_MS;
    if (!this.#isLost) this.#onChange(nameOf(error));
    this.#isLost = true;
  }

  async run<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (performance.now() < this.#pausedUntil) throw new Error("Cannot count: the store has just failed");
    try {
      const result = await ask();
      if (this.#isLost) this.#onChange(undefined);
      this.#isLost = false;
      return result;
    } catch (error) {
      this.fail(error);
      if (nameOf(error) === LATE) this.#onLate();
      throw error;
    }
  }
}

/** `ECONNREFUSED`, `WRONGPASS`, `OOM`, …; never the message, which may contain what was sent. */
function nameOf(error: unknown): string {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code ?? /^[A-Z]{3,}\b/.exec(message)?.[0] ??
    (/timed out/.test(message) ? LATE : "ECONNRESET");
}

/** @throws {Error} for a reply that is no count: it would let everyone through */
function readCount(reply: unknown): RateCount {
  const [requests, msLeft] = Array.isArray(reply) ? reply : [];
  if ([requests, msLeft].every(Number.isSafeInteger) && requests > 0 && msLeft >= 0) {
    return { requests, msLeft };
  }
  throw Object.assign(new Error("no count"), { code: "EPROTO" });
}
