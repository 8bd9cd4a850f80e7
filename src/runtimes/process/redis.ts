/**
 * Counts requests in a Redis or Valkey server, shared by all processes and machines that use it.
 * @module
 */

import { ConfigError } from "../../core/settings/config.ts";
import type { RateStore } from "../../core/runtime.ts";

/** Timeout of the store in milliseconds. */
const PATIENCE_MS = 500;
/** Delay in milliseconds before a failed store is tried again, so that it slows down few requests. */
const PAUSE_MS = 1_000;
/** Maximum delay between attempts to reconnect, in milliseconds. */
const MOST_RETRY_MS = 2_000;

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
  countRequest(key: string, ms: number): Promise<[requests: number, msLeft: number]>;
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
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, MOST_RETRY_MS),
    scripts: { countRequest: { lua: COUNT, numberOfKeys: 1 } },
  });
  const counter = client as typeof client & Counter;
  const watch = new Watch(onChange);
  client.on("error", (error) => watch.fail(error));
  stopped?.addEventListener("abort", () => client.disconnect(), { once: true });
  await new Promise((resolve) => client.once("ready", resolve).once("error", resolve));
  return {
    count: (caller, seconds) =>
      watch.run(async () => {
        const key = `fetchvia:${seconds}s:${caller}`;
        const [requests, msLeft] = await counter.countRequest(key, seconds * 1_000);
        return { requests, msLeft };
      }),
  };
}

/** Tracks whether the store fails, and reports each change once. */
class Watch {
  readonly #onChange: OnStoreChange;
  #isLost = false;
  #pausedUntil = 0;

  constructor(onChange: OnStoreChange) {
    this.#onChange = onChange;
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
      throw error;
    }
  }
}

/** `ECONNREFUSED`, `WRONGPASS`, `OOM`, …; never the message, which may contain what was sent. */
function nameOf(error: unknown): string {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code ?? /^[A-Z]{3,}\b/.exec(message)?.[0] ??
    (/timed out/.test(message) ? "ETIMEDOUT" : "ECONNRESET");
}
