/**
 * Connects to several addresses of a target, on runtimes that can neither do that nor cancel an attempt.
 * @module
 */

import { isIPv6 } from "node:net";

/** If an address has not answered after this many milliseconds, the next one is tried in parallel (RFC 8305 §8). */
const ATTEMPT_MS = 250;
/** Maximum concurrent attempts per connection: a name may have a thousand silent addresses. */
const MAX_AT_ONCE = 8;
/** If this many abandoned attempts are pending, new connections should be made in a way that can be cancelled. */
const MAX_ABANDONED = 32;

let abandoned = 0;

/** False while too many abandoned attempts are pending. */
export function canDial(): boolean {
  return abandoned < MAX_ABANDONED;
}

/** How the attempts of one connection are made. */
export interface Attempts {
  /** Begins an attempt, and reports its result to `connected` or `failed`, possibly before this returns. */
  dial(address: string): void;
  /** All addresses have failed; called with the first failure. */
  onFailure(failure: Error): void;
}

/** The attempts of one connection: the first that succeeds is used (RFC 8305 §5). */
export class Dialling {
  /** Absent once cancelled or connected, so that a connection does not retain it. */
  #attempts: Attempts | undefined;
  readonly #addresses: string[];
  #pending = 0;
  /** True once an attempt is connected, all have failed, or the connection was cancelled. */
  #isOver = false;
  #failure: Error | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param addresses at least one */
  constructor(addresses: readonly string[], attempts: Attempts) {
    this.#attempts = attempts;
    this.#addresses = addresses.length > 1 ? alternate(addresses) : [...addresses];
  }

  /** Begins the first attempt. */
  begin(): void {
    this.#next();
  }

  /** An attempt is connected. False if it is no longer wanted and must be closed. */
  connected(): boolean {
    const isWanted = !this.#isOver;
    this.#settle();
    this.cancel();
    return isWanted;
  }

  /** An attempt has failed. The next begins at once. */
  failed(failure: Error): void {
    this.#settle();
    if (this.#isOver) return;
    this.#failure ??= failure;
    if (this.#addresses.length > 0) return this.#next();
    if (this.#pending > 0) return;
    this.#isOver = true;
    this.#attempts?.onFailure(this.#failure);
  }

  /** The connection is no longer wanted: no further attempt begins, and pending ones count as abandoned. */
  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#attempts = undefined;
    clearTimeout(this.#timer);
    abandoned += this.#pending;
  }

  #settle(): void {
    this.#pending -= 1;
    if (this.#isOver) abandoned -= 1;
  }

  #next(): void {
    clearTimeout(this.#timer);
    const address = this.#pending < MAX_AT_ONCE ? this.#addresses.shift() : undefined;
    if (address === undefined) return;
    if (this.#addresses.length > 0) this.#timer = setTimeout(() => this.#next(), ATTEMPT_MS);
    this.#pending += 1;
    this.#attempts?.dial(address);
  }
}

/** Alternates IPv4 and IPv6, starting with the first address, because a whole family may be unreachable (RFC 8305 §4). */
function alternate(addresses: readonly string[]): string[] {
  const isSixFirst = isIPv6(addresses[0]!);
  const first = addresses.filter((address) => isIPv6(address) === isSixFirst);
  const other = addresses.filter((address) => isIPv6(address) !== isSixFirst);
  const longer = first.length > other.length ? first : other;
  return longer.flatMap((_, index) => [...first.slice(index, index + 1), ...other.slice(index, index + 1)]);
}
