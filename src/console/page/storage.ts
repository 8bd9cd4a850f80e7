/**
 * What outlives the page. A target's page may share the origin, so what is read there is not trusted.
 * @module
 */

/** The part of `localStorage` that is used; absent if the browser forbids it. */
export type Shelf = Pick<Storage, "getItem" | "setItem">;

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
  try {
    return JSON.parse(shelf?.getItem(key) ?? "") ?? undefined;
  } catch {
    return undefined;
  }
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
