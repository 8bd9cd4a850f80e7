/**
 * Remembers the requests of this page, because live traffic does not contain their headers and bodies.
 *
 * They stay in the page's memory and are gone when it is left: what a browser stores for an origin is open to the pages of
 * targets that share it (cookie selector). After a reload, capture shows them.
 * @module
 */

import type { TrafficEntry } from "../../parts/console/traffic-message.ts";

const MOST = 50;

/** What of a request finds its entry. */
interface Sent {
  url: string;
  method?: string;
}

type Entry = Pick<TrafficEntry, "method" | "selector" | "address" | "key">;

/** Remembers requests, and finds the one that belongs to an entry of live traffic. */
export class OwnSends<T extends Sent> {
  #sends: { request: T; entry?: string }[] = [];

  add(request: T): void {
    this.#sends = [...this.#sends.slice(1 - MOST), { request }];
  }

  /**
   * Finds the complete request of an entry; `undefined` if another caller sent it.
   *
   * @param mask how live traffic shows an address, which is loaded after the first paint
   */
  find(entry: Entry, mask: (address: string) => string): T | undefined {
    if (entry.selector !== "arg" || entry.address === undefined) return undefined;
    const known = this.#sends.find((send) => send.entry === entry.key);
    const send = known ??
      this.#sends.find((one) => one.entry === undefined && isSame(one.request, entry, mask));
    if (send) send.entry = entry.key;
    return send?.request;
  }
}

function isSame({ url, method = "GET" }: Sent, entry: Entry, mask: (address: string) => string): boolean {
  const { href, username, password } = new URL(url);
  const plain = username || password ? href.replace(/\/\/[^/@]*@/, "//") : href;
  return method.toUpperCase() === entry.method.toUpperCase() && mask(plain) === entry.address;
}
