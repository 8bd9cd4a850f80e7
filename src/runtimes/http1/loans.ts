/**
 * Memory of a connection that is lent to whoever sends the bytes in it, and comes back when they have been sent.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Spent, WireWatch } from "./wire.ts";

/** More than this many are left to the collector: nobody may ever say that they have been sent. */
const MAX_LENT = 4;

/** What was lent for one message. */
interface Loan<Memory> {
  lent: Memory[] | undefined;
  isSent: boolean;
}

/** The memory that one connection has lent. */
export class Loans<Memory> {
  readonly #giveBack: (memory: Memory) => void;
  #loan: Loan<Memory> | undefined;
  /** The memory whose bytes are being handed out. */
  #handed: Memory | undefined;

  /** @param giveBack called once for each that comes back */
  constructor(giveBack: (memory: Memory) => void) {
    this.#giveBack = giveBack;
  }

  /** Hands out bytes that lie in this memory. */
  hand(memory: Memory, bytes: Buffer, watch: Pick<WireWatch, "onBytes">): void {
    this.lend(memory);
    this.#handed = memory;
    watch.onBytes(bytes);
    this.#handed = undefined;
  }

  /** Lends memory for the message that began last. */
  lend(memory: Memory): void {
    const loan = this.#loan ??= { lent: undefined, isSent: false };
    const lent = loan.lent ??= [];
    if (lent.push(memory) > MAX_LENT) lent.shift();
  }

  /**
   * A message begins.
   *
   * @returns says whether all bytes of this message have been sent
   */
  begin(): Spent {
    // Memory with the end of one message and the beginning of the next is left to the collector.
    if (this.#handed) this.#loan?.lent?.pop();
    const loan: Loan<Memory> = { lent: undefined, isSent: false };
    this.#loan = loan;
    return (isSent) => {
      loan.isSent = isSent;
      // What is being handed out may hold more chunks, so all comes back behind the last of them.
      if (isSent && loan.lent) queueMicrotask(() => this.#end(loan));
    };
  }

  #end(loan: Loan<Memory>): void {
    if (!loan.isSent) return;
    loan.lent?.forEach(this.#giveBack);
    loan.lent = undefined;
  }
}
