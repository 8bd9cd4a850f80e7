/**
 * Requests that this page sent itself: live traffic does not hold their headers and bodies, but the page does.
 * @module
 */

import type { FetchArgument } from "../../../client.ts";
import { maskAddress } from "../mask.ts";
import type { TrafficEntry } from "../traffic.ts";

const MOST = 50;

/** Remembers them, and finds the one that an entry of live traffic stands for. */
export class OwnSends {
  #sends: { argument: FetchArgument; entry?: number }[] = [];

  /** Remembers one that goes out. */
  add(argument: FetchArgument): void {
    this.#sends = [...this.#sends.slice(1 - MOST), { argument }];
  }

  /** The whole request behind an entry; `undefined` where another caller sent it. */
  find(entry: TrafficEntry): FetchArgument | undefined {
    if (entry.selector !== "arg" || entry.address === undefined) return undefined;
    const known = this.#sends.find((send) => send.entry === entry.id);
    const send = known ?? this.#sends.find((one) => one.entry === undefined && isSame(one.argument, entry));
    if (send) send.entry = entry.id;
    return send?.argument;
  }
}

function isSame({ url, method = "GET" }: FetchArgument, entry: TrafficEntry): boolean {
  const { href, username, password } = new URL(url);
  const plain = username || password ? href.replace(/\/\/[^/@]*@/, "//") : href;
  return method.toUpperCase() === entry.method.toUpperCase() && maskAddress(plain) === entry.address;
}
