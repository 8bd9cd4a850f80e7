/**
 * A viewer of captures: one tab of the console, which sees the secrets of the requests that it sent itself.
 * @module
 */

/** Ids are random; shorter ones could be guessed. */
const VIEWER = /^[\w-]{22,64}$/;

/** The viewer's id in a request; `null` if there is none that can be used. */
export function readViewer(value: string | null): string | null {
  return value !== null && VIEWER.test(value) ? value : null;
}

/** Compares two ids. Its duration reveals only whether the lengths are equal. */
export function isSameViewer(shown: string | null, viewer: string): boolean {
  if (shown === null || shown.length !== viewer.length) return false;
  let difference = 0;
  for (let at = 0; at < viewer.length; at += 1) difference |= shown.charCodeAt(at) ^ viewer.charCodeAt(at);
  return difference === 0;
}
