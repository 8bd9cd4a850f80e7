/**
 * Caches DNS look-ups for a short time, so that not every request needs one.
 * @module
 */

import { isLocalhost } from "./ip.ts";
import { cannotReach, ProxyError } from "../http/error.ts";
import { mapFailure } from "../http/failure.ts";

/** The addresses of a name. */
export type Addresses = readonly string[] & {
  /** How long they are valid (`TTL`, RFC 1035 §3.2.1), in milliseconds; absent if unknown. */
  readonly ttlMs?: number;
};

/** Looks up all addresses of a name, as `Runtime.resolve` does. */
export type Resolve = (hostname: string, isComplete: boolean) => Promise<Addresses>;

/**
 * Addresses are cached for this many milliseconds at most, or for their TTL. The checked address is still the one that is
 * dialled.
 */
const REMEMBERED_MS = 30_000;
const REMEMBERED_NAMES = 10_000;

/** The addresses of `localhost` and all names below it: both families, without a DNS query (RFC 6761 §6.3). */
const LOOPBACK: Addresses = ["127.0.0.1", "::1"];

interface Entry {
  addresses: Promise<Addresses>;
  /** The addresses, once the look-up is complete. */
  found: Addresses | undefined;
  /** When the entry expires, by `performance.now()`, which is monotonic. */
  expires: number;
}

/** Creates a look-up with a cache for good results, one query for simultaneous requests of a name, and a timeout. */
export class Resolver {
  readonly #entries = new Map<string, Entry>();
  readonly #timeoutMs: number;
  readonly #isComplete: boolean;

  /**
   * @param timeoutMs timeout in milliseconds; 0 for none
   * @param isComplete whether every look-up must give all addresses, or fail
   */
  constructor(timeoutMs: number, isComplete = false) {
    this.#timeoutMs = timeoutMs;
    this.#isComplete = isComplete;
  }

  /** The cached addresses of a name; `undefined` if it must be looked up. */
  recall(hostname: string): readonly string[] | undefined {
    const known = this.#entries.get(hostname);
    if (!known) return isLocalhost(hostname) ? LOOPBACK : undefined;
    return known.expires > performance.now() ? known.found : undefined;
  }

  /** Drops cached addresses if none of them can be reached: the name may have other addresses by now. */
  forget(hostname: string, addresses: readonly string[]): void {
    if (this.#entries.get(hostname)?.found === addresses) this.#entries.delete(hostname);
  }

  /**
   * All addresses of a name.
   *
   * @throws {ProxyError} `dns_error` if there are none, `dns_timeout` after the timeout
   */
  resolve(hostname: string, lookUp: Resolve): Promise<Addresses> {
    const known = this.#entries.get(hostname);
    if (known && known.expires > performance.now()) return known.addresses;
    if (isLocalhost(hostname)) return Promise.resolve(LOOPBACK);
    this.#entries.delete(hostname);
    // The first in the map was looked up before all others.
    const [oldest = ""] = this.#entries.size < REMEMBERED_NAMES ? [] : this.#entries.keys();
    this.#entries.delete(oldest);
    const ask = () => lookUp(hostname, this.#isComplete);
    const addresses = lookUpInTime(hostname, ask, this.#timeoutMs);
    const asked = performance.now();
    const entry: Entry = { addresses, found: undefined, expires: asked + REMEMBERED_MS };
    this.#entries.set(hostname, entry);
    addresses.then((found) => {
      entry.found = found;
      entry.expires = asked + Math.min(found.ttlMs ?? REMEMBERED_MS, REMEMBERED_MS);
    }, () => this.#entries.delete(hostname));
    return addresses;
  }
}

async function lookUpInTime(
  hostname: string,
  ask: () => Promise<Addresses>,
  timeoutMs: number,
): Promise<Addresses> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    const state = `its name did not resolve within ${timeoutMs} ms`;
    const stop = () => reject(cannotReach("dns_timeout", hostname, state));
    if (timeoutMs > 0) timer = setTimeout(stop, timeoutMs);
  });
  try {
    const addresses = await Promise.race([ask(), limit]);
    if (!isList(addresses)) throw new TypeError("no list of strings");
    if (addresses.length) return addresses;
    throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
  } catch (error) {
    throw mapLookUpFailure(error, hostname);
  } finally {
    clearTimeout(timer);
  }
}

/** A look-up may come from outside code, in JavaScript. */
function isList(found: unknown): boolean {
  return Array.isArray(found) && found.every((address) => typeof address === "string");
}

const OF_A_LOOK_UP: ReadonlySet<string> = new Set(["dns_error", "dns_timeout", "overloaded"]);

/** A failed look-up is never a failure of the target, which has not been contacted yet. */
function mapLookUpFailure(failure: unknown, hostname: string): ProxyError {
  const known = mapFailure(failure, hostname);
  if (failure instanceof ProxyError || OF_A_LOOK_UP.has(known.code)) return known;
  return cannotReach("dns_error", hostname, "the DNS look-up of its name failed", { cause: failure });
}
