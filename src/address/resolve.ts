/**
 * Remembers what names resolve to for a short while, so that they cost no look-up per request.
 * @module
 */

import { ProxyError } from "../http/error.ts";
import { mapFailure } from "../http/failure.ts";

/** Looks a name up: all its addresses, as `Runtime.resolve` says. */
export type Resolve = (hostname: string, isComplete: boolean) => Promise<readonly string[]>;

/** Addresses are remembered for this many milliseconds; what is dialled is still what was judged. */
const REMEMBERED_MS = 30_000;
const REMEMBERED_NAMES = 1_000;

interface Entry {
  addresses: Promise<readonly string[]>;
  /** The same, once they are here. */
  found: readonly string[] | undefined;
  /** By `performance.now()`, which nobody sets back. */
  expires: number;
}

/** Makes a look-up that remembers good results, asks once for a name that is asked for at the same time, and gives up in time. */
export class Resolver {
  readonly #entries = new Map<string, Entry>();
  readonly #timeoutMs: number;
  readonly #isComplete: boolean;

  /**
   * @param timeoutMs milliseconds until an answer must be here; 0 waits for ever
   * @param isComplete whether every look-up must give all addresses, or fail
   */
  constructor(timeoutMs: number, isComplete = false) {
    this.#timeoutMs = timeoutMs;
    this.#isComplete = isComplete;
  }

  /** The addresses that are remembered for a name; `undefined` where it must be looked up. */
  recall(hostname: string): readonly string[] | undefined {
    const known = this.#entries.get(hostname);
    return known && known.expires > performance.now() ? known.found : undefined;
  }

  /**
   * All addresses of a name.
   *
   * @throws {ProxyError} `dns_error` where there are none, `dns_timeout` where no answer came in time
   */
  resolve(hostname: string, lookUp: Resolve): Promise<readonly string[]> {
    const known = this.#entries.get(hostname);
    if (known && known.expires > performance.now()) return known.addresses;
    if (this.#entries.size >= REMEMBERED_NAMES) this.#entries.clear();
    const ask = () => lookUp(hostname, this.#isComplete);
    const addresses = lookUpInTime(hostname, ask, this.#timeoutMs);
    const entry: Entry = { addresses, found: undefined, expires: performance.now() + REMEMBERED_MS };
    this.#entries.set(hostname, entry);
    addresses.then((found) => (entry.found = found), () => this.#entries.delete(hostname));
    return addresses;
  }
}

async function lookUpInTime(
  hostname: string,
  ask: () => Promise<readonly string[]>,
  timeoutMs: number,
): Promise<readonly string[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    const message = `Cannot reach ${hostname}: its name did not resolve within ${timeoutMs} ms`;
    if (timeoutMs > 0) timer = setTimeout(() => reject(new ProxyError("dns_timeout", message)), timeoutMs);
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

/** A look-up may be anyone's own, in JavaScript. */
function isList(found: unknown): boolean {
  return Array.isArray(found) && found.every((address) => typeof address === "string");
}

const OF_A_LOOK_UP: ReadonlySet<string> = new Set(["dns_error", "dns_timeout", "overloaded"]);

/** The failure of a look-up, whatever it is, is none of the target, which nobody has asked yet. */
function mapLookUpFailure(failure: unknown, hostname: string): ProxyError {
  const known = mapFailure(failure, hostname);
  if (failure instanceof ProxyError || OF_A_LOOK_UP.has(known.code)) return known;
  const message = `Cannot reach ${hostname}: the DNS look-up of its name failed`;
  return new ProxyError("dns_error", message, { cause: failure });
}
