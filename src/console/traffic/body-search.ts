/**
 * Searches the bodies that are kept: the proxy does it, as the page has none of them.
 * @module
 */

import { ownAddress } from "../page/page-location.ts";
import { captureFields } from "../page/proof.ts";
import type { Term } from "./filter.ts";

/** How long typing must rest before the proxy is asked, in milliseconds. */
const REST_MS = 300;
/** How often it is asked again while the filter stays, in milliseconds: new bodies come. */
const AGAIN_MS = 2_000;

/** Asks for the texts of `body:` for as long as the filter holds them. */
export class BodySearch {
  readonly #ticket: string;
  readonly #learn: (text: string, keys: string[] | undefined) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param learn takes the keys of the requests in which a body holds a text; `undefined` if the proxy can't say */
  constructor(ticket: string, learn: (text: string, keys: string[] | undefined) => void) {
    this.#ticket = ticket;
    this.#learn = learn;
  }

  /** Searches for these terms from now on. */
  search(terms: readonly Term[]): void {
    const texts = new Set(terms.flatMap(({ body }) => body ?? []));
    clearTimeout(this.#timer);
    if (texts.size === 0) return;
    const ask = async () => {
      await Promise.all([...texts].map((text) => this.#ask(text)));
      if (this.#timer === mine) this.#timer = mine = setTimeout(ask, AGAIN_MS);
    };
    let mine = this.#timer = setTimeout(ask, REST_MS);
  }

  async #ask(text: string): Promise<void> {
    const headers = captureFields(this.#ticket);
    const query = new URLSearchParams({ body: text });
    try {
      const answer = await fetch(ownAddress(`capture?${query}`), { headers, cache: "no-store" });
      const keys: unknown = answer.ok ? await answer.json() : undefined;
      this.#learn(text, Array.isArray(keys) ? keys : undefined);
    } catch {
      // The proxy is away; the list says so already.
    }
  }
}
