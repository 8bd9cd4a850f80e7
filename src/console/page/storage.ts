/**
 * What outlives the page. A target's page may share the origin, so what is read there is not trusted.
 * @module
 */

import { parseJson } from "./format.ts";

/** The part of `localStorage` that is used; absent if the browser forbids it. */
export type Shelf = Pick<Storage, "getItem" | "setItem">;

/** What the keys of the console begin with. */
const OURS = "fetchvia";

/** The storage; `undefined` where the browser forbids it: then nothing outlives the page. */
export function openStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Reads what is stored as JSON; `undefined` if there is nothing, or no JSON. */
export function readStored(shelf: Pick<Shelf, "getItem"> | undefined, key: string): unknown {
  return parseJson(shelf?.getItem(key) ?? "") ?? undefined;
}

/** Stores a value as JSON; false if the storage is full or forbidden: then it lasts as long as the page. */
export function writeStored(
  shelf: Pick<Shelf, "setItem"> | undefined,
  key: string,
  value: unknown,
): boolean {
  try {
    shelf?.setItem(key, JSON.stringify(value));
    return shelf !== undefined;
  } catch {
    return false;
  }
}

/** Removes all that the console stores, and nothing that belongs to pages of targets. */
export function forgetStored(): void {
  const shelf = openStorage();
  for (const key of Object.keys(shelf ?? {})) if (key.startsWith(OURS)) shelf?.removeItem(key);
  dispatchEvent(new StorageEvent("storage"));
}

/** Calls back when something of the console was removed, by this page or in another tab. */
export function onForgotten(readAgain: () => void): void {
  // Pages of targets remove what is theirs.
  addEventListener("storage", (event) => {
    const { key, newValue } = event as StorageEvent;
    if (newValue === null && (key ?? OURS).startsWith(OURS)) readAgain();
  });
}
