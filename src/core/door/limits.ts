/**
 * Limits requests: per caller and time window, and concurrent ones (rule 5.13).
 * @module
 */

import type { CallerToken } from "../exchange/findings.ts";
import type { RateLimit } from "../settings/values.ts";
import { ProxyError } from "../http/error.ts";
import { createMemoryStore, WindowCounter } from "./rate-store.ts";
import type { RateCount, RateStore } from "../runtime.ts";

const SHARED = "RATE_LIMIT of this proxy, for each caller";

/** Counts requests in time windows, and refuses those beyond a limit. */
class RateCounter {
  readonly #memory = createMemoryStore();
  readonly #store: RateStore;

  constructor(store?: RateStore) {
    this.#store = store ?? this.#memory;
  }

  /**
   * Counts one request.
   *
   * @param reason whose limit it is, for a refusal
   * @throws {ProxyError} `rate_limited` with `Retry-After`, when the limit is exceeded
   */
  async take(caller: string, limit: RateLimit, reason: string): Promise<void> {
    checkCount(await this.#count(caller, limit), limit, reason);
  }

  /** If the store fails, this process counts on its own, so that it neither refuses nor admits everyone. */
  async #count(caller: string, { seconds }: RateLimit): Promise<RateCount> {
    try {
      const count = await this.#store.count(caller, seconds);
      if (count.requests + count.msLeft >= 0) return count;
    } catch {
      // As a store that gives no numbers.
    }
    return await this.#memory.count(caller, seconds);
  }
}

/** @param reason whose limit it is, for the caller too */
function checkCount({ requests, msLeft }: RateCount, limit: RateLimit, reason: string): void {
  if (requests <= limit.requests) return;
  // If a clock is set back, the store reports more than a whole time window.
  const seconds = String(Math.min(limit.seconds, Math.max(1, Math.ceil(msLeft / 1_000))));
  const each = `${limit.requests} per ${limit.seconds} s`;
  const message = `Too many requests (limit ${each}: ${reason}). Retry in ${seconds} s`;
  throw new ProxyError("rate_limited", message, {
    headers: { "retry-after": seconds },
    reason,
    names: reason === SHARED ? ["RATE_LIMIT"] : [],
  });
}

/** Limits the requests of each caller per time window. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #counter: RateCounter;

  /** @param store counts in memory where absent */
  constructor(limit: RateLimit, store?: RateStore) {
    this.#limit = limit;
    this.#counter = new RateCounter(store);
  }

  /**
   * Counts one request of a caller.
   *
   * @throws {ProxyError} `rate_limited` with `Retry-After`, when the limit is exceeded
   */
  async take(address: string): Promise<void> {
    await this.#counter.take(groupOf(address), this.#limit, SHARED);
  }
}

/**
 * Limits the refused requests of each caller, so that nobody can guess tokens for long. Admitted requests do not count.
 * Each process counts on its own.
 */
export class RefusalLimiter {
  readonly #limit: RateLimit;
  readonly #counter: WindowCounter;

  constructor(limit: RateLimit) {
    this.#limit = limit;
    this.#counter = new WindowCounter(limit.seconds * 1_000);
  }

  /**
   * Counts a request at once, and takes the count back if it is admitted, so that requests still being judged count too.
   *
   * @throws {ProxyError} `rate_limited` with `Retry-After`, when the limit is exceeded
   */
  async judge<T>(address: string, admit: () => Promise<T>, isAdmitted: (judged: T) => boolean): Promise<T> {
    const caller = groupOf(address);
    checkCount(this.#counter.count(caller), this.#limit, SHARED);
    const judged = await admit();
    if (isAdmitted(judged)) this.#counter.takeBack(caller);
    return judged;
  }
}

/** Limits the requests of each caller's token by the `rate` in it. */
export class TokenLimiter {
  readonly #counter: RateCounter;

  /** @param store counts in memory where absent */
  constructor(store?: RateStore) {
    this.#counter = new RateCounter(store);
  }

  /**
   * Counts one request of a token, whatever address it comes from.
   *
   * @throws {ProxyError} `rate_limited` with `Retry-After`, when the limit is exceeded
   */
  async take({ id, rate }: CallerToken["claims"]): Promise<void> {
    // No address has a blank in it, so an id never counts as one.
    if (rate) await this.#counter.take(`token ${id}`, rate, `rate of the caller's token ${id}`);
  }
}

/** One caller usually has a whole /64 of IPv6 addresses (RFC 6177). */
function groupOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const before = head ? head.split(":") : [];
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill("0"), ...after].slice(0, 4).join(":");
}

/** Limits concurrent requests. */
export class Gate {
  readonly #most: number;
  readonly #inside = new WeakSet<object>();
  #inFlight = 0;

  /** @param most maximum number of concurrent requests */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Lets a request in.
   *
   * @param visitor the object that `leave` gets
   * @throws {ProxyError} `overloaded` with `Retry-After`, when the limit is reached
   */
  enter(visitor: object): void {
    if (this.#inFlight >= this.#most) {
      const message = `Too many concurrent requests (limit ${this.#most})`;
      const reason = "MAX_CONCURRENT of this proxy";
      throw new ProxyError("overloaded", message, {
        headers: { "retry-after": "1" },
        reason,
        names: ["MAX_CONCURRENT"],
      });
    }
    this.#inFlight += 1;
    this.#inside.add(visitor);
  }

  /** Lets a request out; does nothing for one that was never let in. */
  leave(visitor: object): void {
    if (this.#inside.delete(visitor)) this.#inFlight -= 1;
  }
}
