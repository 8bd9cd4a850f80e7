/**
 * What is saved, as the page uses it: variables for the request, and the Saved panel once it is opened.
 * @module
 */

import { find } from "../page/dom.ts";
import { onForgotten, openStorage } from "../page/storage.ts";
import { completeAddress } from "./complete-address.ts";
import type { Builder } from "./builder.ts";
import { type Draft, findVariables, resolveText } from "./draft.ts";
import { readSaved, readVariables, type Saved, writeSaved } from "./saved.ts";

/** The builder, and what its request lacks. */
export interface ShelfParts {
  builder: Builder;
  /** Puts a request into the builder, and says what it lacks. */
  load(draft: Draft, missing: string[]): void;
  unfilled(): string[];
  /** The host for a path without one. */
  readHost(): string | null;
}

/** Opens it. */
export function openShelf({ builder, load, unfilled, readHost }: ShelfParts) {
  const storage = openStorage();
  const secrets = new Map<string, string>();
  let [saved, isStored] = [readSaved(storage), !!storage];
  const origin = () => {
    const common = readVariables(saved, undefined, secrets);
    const typed = resolveText(builder.read().address, common).replace(/^(\s*)ws(s?):/i, "$1http$2:");
    const completed = completeAddress(typed, readHost());
    return completed.problem === undefined ? new URL(completed.url).origin : undefined;
  };
  const variables = () => readVariables(saved, origin(), secrets);
  if (saved.requests.length + saved.variables.length > 0) {
    void import("../after-paint.ts").then(({ cleanSaved }) => writeSaved(storage, saved = cleanSaved(saved)));
  }
  let show: Promise<() => void> | undefined;
  const open = async () => {
    const { openSaved } = await import("../after-paint.ts");
    return openSaved(find("panel-saved"), {
      read: () => isStored ? saved = readSaved(storage) : saved,
      write: (next: Saved) => isStored = writeSaved(storage, saved = next),
      secrets,
      draft: () => builder.read(),
      load,
      unfilled,
      origin,
      missing: () => findVariables(builder.read()).filter((name) => !variables().has(name)),
    });
  };
  onForgotten(() => {
    saved = readSaved(storage);
    secrets.clear();
    if (show) show = open();
  });
  find("tab-saved").addEventListener("click", () => {
    show ??= open();
    void show.then((again) => again());
  });
  /** Secret values, which are not stored, and the variables for the address in the builder. */
  return { secrets, variables };
}
