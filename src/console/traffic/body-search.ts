/**
 * Searches the bodies that are kept: the proxy does it, as the page has none of them.
 * @module
 */

import type { Term } from "./filter.ts";
import { askProxy, captureFields } from "../page/own-requests.ts";

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
    const query = new URLSearchParams({ body: text });
    const answer = await askProxy<unknown>(`capture?${query}`, captureFields(this.#ticket));
    // Where the proxy is away, the list says so already.
    if (answer.problem !== undefined && answer.status === 0) return;
    this.#learn(text, Array.isArray(answer.told) ? answer.told : undefined);
  }
}
