/**
 * The request in the builder and those that it replaced, in the page's memory.
 * @module
 */

import { find } from "../page/dom.ts";
import type { Builder } from "./builder.ts";
import { type Draft, type Drafted, listUnfilled } from "./draft.ts";

/** How many replaced requests can come back. */
const MOST = 20;

/** Opens it; `onPut` runs when another request is in the builder. */
export function openDrafts(builder: Builder, onPut: () => void) {
  const undo = find("builder-undo");
  const blank = JSON.stringify(builder.read());
  const replaced: Drafted[] = [];
  let loaded: Drafted = { draft: builder.read(), missing: [] };
  const unfilled = () => listUnfilled(loaded.missing, loaded.draft, builder.read());
  const write = ({ draft, missing }: Drafted) => {
    const before = { draft: builder.read(), missing: unfilled() };
    loaded = { draft, missing: [] };
    builder.write(draft);
    loaded = { draft: builder.read(), missing };
    onPut();
    // One that is blank, or the same, need not come back.
    return [blank, JSON.stringify(loaded.draft)].includes(JSON.stringify(before.draft)) ? [] : [before];
  };
  const show = () => {
    const last = replaced.at(-1)?.draft;
    undo.hidden = !last;
    if (last) undo.textContent = `Bring back ${last.method} ${last.address.slice(0, 60)}`;
  };
  undo.addEventListener("click", () => {
    const last = replaced.pop();
    // Nothing is lost: the one that leaves comes last.
    if (last) replaced.unshift(...write(last));
    show();
    find("address").focus();
  });
  return {
    /** What the request in the builder still lacks, because its secrets were not stored. */
    unfilled,
    /** Puts a request into the builder; `missing` is what it lacks. The one before can come back. */
    put(draft: Draft, missing: string[] = []) {
      replaced.push(...write({ draft, missing }));
      replaced.splice(0, replaced.length - MOST);
      show();
    },
  };
}
