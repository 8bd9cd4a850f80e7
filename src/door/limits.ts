/**
 * How many requests: per caller in a time, and at once (contract 5).
 * @module
 */

import type { RateLimit } from "../settings/values.ts";
import { ProxyError } from "../http/error.ts";
import { createMemoryStore } from "../exchange/rate-store.ts";
import type { RateCount, RateStore } from "../exchange/runtime.ts";

/** Holds each caller to its allowance. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #memory = createMemoryStore();
  readonly #store: RateStore;

  /** @param store counts in memory where absent */
  constructor(limit: RateLimit, store?: RateStore) {
    this.#limit = limit;
    this.#store = store ?? this.#memory;
  }

  /**
   * Takes one request off a caller's allowance.
   *
   * @throws {ProxyError} `rate_limited` with `Retry-After`, when nothing is left
   */
  async take(address: string): Promise<void> {
    const { requests, msLeft } = await this.#count(groupOf(address));
    if (requests <= this.#limit.requests) return;
    // A clock that is set back makes the store say more than there can be.
    const seconds = String(Math.min(this.#limit.seconds, Math.max(1, Math.ceil(msLeft / 1_000))));
    const message =
      `Too many requests (limit ${this.#limit.requests} per ${this.#limit.seconds} s). Retry in ${seconds} s`;
    throw new ProxyError("rate_limited", message, { headers: { "retry-after": seconds } });
  }

  /** A store that fails is no reason to refuse everybody, and none to let everybody in. */
  async #count(caller: string): Promise<RateCount> {
    const { seconds } = this.#limit;
    return await this.#store.count(caller, seconds).catch(() => this.#memory.count(caller, seconds));
  }
}

/** One caller holds a whole /64 of IPv6 addresses (RFC 6177). */
function groupOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const before = head ? head.split(":") : [];
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill("0"), ...after].slice(0, 4).join(":");
}

/** Counts the requests in flight. */
export class Gate {
  readonly #most: number;
  readonly #inside = new WeakSet<object>();
  #inFlight = 0;

  /** @param most how many may be in flight */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Lets one in.
   *
   * @param visitor what leaves again
   * @throws {ProxyError} `overloaded` with `Retry-After`, when there is no room
   */
  enter(visitor: object): void {
    if (this.#inFlight >= this.#most) {
      const message = `Too many concurrent requests (limit ${this.#most})`;
      throw new ProxyError("overloaded", message, { headers: { "retry-after": "1" } });
    }
    this.#inFlight += 1;
    this.#inside.add(visitor);
  }

  /** Lets one out; one that never came in changes nothing. */
  leave(visitor: object): void {
    if (this.#inside.delete(visitor)) this.#inFlight -= 1;
  }
}
