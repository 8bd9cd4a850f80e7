/**
 * Keeps the builder's content over a reload, in the state of this entry of the history. Unlike `sessionStorage`, no other
 * page reads it, also not a target's on the same origin.
 * @module
 */

import type { Draft } from "./draft.ts";
import { packDraft, readPairs, unpackDraft } from "./stored.ts";

/** Browsers limit how often the state may change. */
const DELAY_MS = 300;

/** What is kept. */
export interface Kept {
  draft: Draft;
  /** The id of the chosen tab. */
  tab: string;
  /** Variables that are secrets: scope and name, joined by a blank, and value. */
  secrets: [key: string, value: string][];
}

/** Keeps what `read` gives, soon after each call of the result. */
export function openKeeping(read: () => Kept): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    const { draft, ...rest } = read();
    try {
      history.replaceState({ ...history.state, fetchvia: { ...rest, draft: packDraft(draft) } }, "");
    } catch {
      // The state is too large or changes too often: the next change tries again.
    }
  };
  const keepNow = () => void (timer !== undefined && keep());
  addEventListener("pagehide", keepNow);
  // A link to a part of the page makes a new entry, without state.
  addEventListener("hashchange", keep);
  return () => void (timer ??= setTimeout(keep, DELAY_MS));
}

/** Reads what was kept; `undefined` if there is nothing. */
export function recall(state: unknown = history.state): Kept | undefined {
  const stored = (state as { fetchvia?: unknown } | null)?.fetchvia as Record<string, unknown> | undefined;
  const draft = unpackDraft(stored?.["draft"]);
  if (!draft) return undefined;
  const tab = stored?.["tab"];
  return { draft, tab: typeof tab === "string" ? tab : "", secrets: readPairs(stored?.["secrets"]) };
}
