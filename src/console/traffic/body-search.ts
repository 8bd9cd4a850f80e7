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

/**
 * Asks for the texts of `body:` in the terms that the result was given last.
 *
 * @param learn takes the keys of the requests in which a body holds a text; `undefined` if the proxy can't say
 */
export function openBodySearch(
  ticket: string,
  learn: (text: string, keys: string[] | undefined) => void,
): (terms: readonly Term[]) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const search = async (text: string) => {
    const query = new URLSearchParams({ body: text });
    const answer = await askProxy<unknown>(`capture?${query}`, captureFields(ticket));
    // Where the proxy is away, the list says so already.
    if (answer.problem !== undefined && answer.status === 0) return;
    learn(text, Array.isArray(answer.told) ? answer.told : undefined);
  };
  return (terms) => {
    const texts = new Set(terms.flatMap(({ body }) => body ?? []));
    clearTimeout(timer);
    if (texts.size === 0) return;
    const ask = async () => {
      await Promise.all([...texts].map(search));
      if (timer === mine) timer = mine = setTimeout(ask, AGAIN_MS);
    };
    let mine = timer = setTimeout(ask, REST_MS);
  };
}
