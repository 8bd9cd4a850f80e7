/**
 * Keeps the builder's content over a reload, in the state of this entry of the history, without its secrets: nothing that the
 * browser stores holds one.
 * @module
 */

import type { Drafted } from "./draft.ts";
import { packDraft, readNames, unpackDraft } from "./stored.ts";

/** Browsers limit how often the state may change. */
const DELAY_MS = 300;
/** The rest after each time, in times of what that took: a long body is searched for secrets. */
const REST = 20;

/** What is kept. */
export interface Kept extends Drafted {
  /** The id of the chosen tab. */
  tab: string;
}

/** Keeps what `read` gives, soon after each call of the result. */
export function openKeeping(read: () => Kept) {
  let strip: typeof import("../after-paint.ts").strip | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = DELAY_MS;
  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!strip) return;
    const start = performance.now();
    const { draft, tab, missing } = read();
    try {
      const fetchvia = { tab, ...strip(packDraft(draft), missing) };
      history.replaceState({ ...history.state, fetchvia }, "");
    } catch {
      // The state is too large or changes too often: the next change tries again.
    }
    delay = Math.max(DELAY_MS, REST * (performance.now() - start));
  };
  void import("../after-paint.ts").then((saving) => {
    strip = saving.strip;
    keep();
  });
  // At `pagehide` it is too late: Chromium loads the page with the state before.
  addEventListener("beforeunload", keep);
  // A link to a part of the page makes a new entry, without state.
  addEventListener("hashchange", keep);
  return {
    keep: () => void (timer ??= setTimeout(keep, delay)),
    /** True if all of the draft outlives a reload: it has no secrets and no files. */
    losesNothing() {
      const { draft, missing } = read();
      const packed = packDraft(draft);
      const hasFiles = draft.file || draft.fields?.some(({ file }) => file);
      if (!strip || hasFiles || packed.body !== draft.body) return false;
      return JSON.stringify(strip(packed, missing).draft) === JSON.stringify(packed);
    },
  };
}

/** Reads what was kept; `undefined` if there is nothing. */
export function recall(state: unknown = history.state): Kept | undefined {
  const stored = (state as { fetchvia?: unknown } | null)?.fetchvia as Record<string, unknown> | undefined;
  const draft = unpackDraft(stored?.["draft"]);
  if (!draft) return undefined;
  const tab = stored?.["tab"];
  return { draft, tab: typeof tab === "string" ? tab : "", missing: readNames(stored?.["missing"]) };
}
