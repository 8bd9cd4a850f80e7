/**
 * Remembers the requests of this page, because live traffic does not contain their headers and bodies.
 * @module
 */

import type { FetchArgument } from "../../../../client.ts";
import { maskAddress } from "../../mask.ts";
import type { TrafficEntry } from "../../traffic.ts";

const MOST = 50;

/** Remembers requests, and finds the one that belongs to an entry of live traffic. */
export class OwnSends {
  #sends: { argument: FetchArgument; entry?: string }[] = [];

  /** Remembers a request. */
  add(argument: FetchArgument): void {
    this.#sends = [...this.#sends.slice(1 - MOST), { argument }];
  }

  /** Finds the complete request of an entry; `undefined` if another caller sent it. */
  find(entry: TrafficEntry): FetchArgument | undefined {
    if (entry.selector !== "arg" || entry.address === undefined) return undefined;
    const known = this.#sends.find((send) => send.entry === entry.key);
    const send = known ?? this.#sends.find((one) => one.entry === undefined && isSame(one.argument, entry));
    if (send) send.entry = entry.key;
    return send?.argument;
  }
}

function isSame({ url, method = "GET" }: FetchArgument, entry: TrafficEntry): boolean {
  const { href, username, password } = new URL(url);
  const plain = username || password ? href.replace(/\/\/[^/@]*@/, "//") : href;
  return method.toUpperCase() === entry.method.toUpperCase() && maskAddress(plain) === entry.address;
}
