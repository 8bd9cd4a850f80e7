/**
 * What outlives the page.
 * @module
 */

/** The storage; `undefined` where the browser forbids it: then nothing outlives the page. */
export function openStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
