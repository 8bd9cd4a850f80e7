/**
 * The last filters, in the memory of this page: what was searched for may be a secret.
 * @module
 */

const MOST = 10;

let last: readonly string[] = [];

/** Remembers a filter that was used; one letter is what was left of another one. */
export function rememberFilter(filter: string): void {
  const text = filter.trim();
  if (text.length > 1) last = [text, ...last.filter((one) => one !== text)].slice(0, MOST);
}

/** The filters, the newest first. */
export function recentFilters(): readonly string[] {
  return last;
}

/** The filter before one of them, or the newest for none; `undefined` if there is none, or for any other. */
export function filterBefore(filter: string): string | undefined {
  const text = filter.trim();
  const place = last.indexOf(text);
  return text === "" || place >= 0 ? last[place + 1] : undefined;
}

/** Forgets them. */
export function forgetFilters(): void {
  last = [];
}
