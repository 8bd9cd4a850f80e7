/**
 * Connects to the addresses of a target where the runtime has no way to do so, and none to give an attempt up.
 * @module
 */

import { isIPv6 } from "node:net";

/** An address that has not answered after so many milliseconds is joined by the next (RFC 8305 §8). */
const ATTEMPT_MS = 250;
/** Attempts of one connection at once: a name may have a thousand addresses that are silent. */
const MAX_AT_ONCE = 8;
/** If this many attempts are left that nobody waits for, new connections should be made in a way that can be given up. */
const MAX_ABANDONED = 32;

let abandoned = 0;

/** False while too many attempts are left that nobody waits for. */
export function canDial(): boolean {
  return abandoned < MAX_ABANDONED;
}

/** How the attempts of one connection are made. */
export interface Attempts {
  /** Begins an attempt. Its end is told by `connected` or `failed`, perhaps before this returns. */
  dial(address: string): void;
  /** All addresses have failed; called with what happened to the first. */
  onFailure(failure: Error): void;
}

/** The attempts of one connection: the first that succeeds is used (RFC 8305 §5). */
export class Dialling {
  /** Absent once it is over, so that a connection does not hold what it no longer needs. */
  #attempts: Attempts | undefined;
  readonly #addresses: string[];
  #pending = 0;
  /** True once one is connected, all have failed, or nobody waits any more. */
  #isOver = false;
  #failure: Error | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param addresses at least one */
  constructor(addresses: readonly string[], attempts: Attempts) {
    this.#attempts = attempts;
    this.#addresses = addresses.length > 1 ? alternate(addresses) : [...addresses];
  }

  /** Begins. */
  begin(): void {
    this.#next();
  }

  /** An attempt is connected. False if nobody waits for it: it must be closed. */
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

  /** Nobody waits any more. */
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

/** One of each family in turn, and the first stays first: a whole family may lead nowhere (RFC 8305 §4). */
function alternate(addresses: readonly string[]): string[] {
  const isSixFirst = isIPv6(addresses[0]!);
  const first = addresses.filter((address) => isIPv6(address) === isSixFirst);
  const other = addresses.filter((address) => isIPv6(address) !== isSixFirst);
  const longer = first.length > other.length ? first : other;
  return longer.flatMap((_, index) => [...first.slice(index, index + 1), ...other.slice(index, index + 1)]);
}
