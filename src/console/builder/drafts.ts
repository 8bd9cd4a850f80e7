/**
 * The request in the builder and those that it replaced, in the page's memory. The one in the builder is kept over a reload,
 * in the state of this entry of the history, without its secrets: nothing that the browser stores holds one.
 * @module
 */

import { find } from "../page/dom.ts";
import type { Builder } from "./builder.ts";
import { type Draft, type Drafted, listUnfilled } from "./draft.ts";
import { packDraft, readNames, unpackDraft } from "./saved.ts";

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

/** Browsers limit how often the state may change. */
const DELAY_MS = 300;
/** The rest after each time, in times of what that took: a long body is searched for secrets. */
const REST = 20;

interface Kept extends Drafted {
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
