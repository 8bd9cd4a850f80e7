/**
 * Caches the results of pure functions of a text, because requests repeat the same few texts.
 * @module
 */

/** For functions of a target: as many targets as one proxy is expected to have at a time. */
export const MANY = 10_000;
/** Longer texts are not cached, nor those that could take more than this many characters in one generation; a cache holds two. */
const LONGEST = 1_000;
const MOST_CHARACTERS = 1_000_000;

/**
 * The same function with a cache. After `most` new texts, those that were not asked for meanwhile are forgotten; long texts
 * are not cached. So nobody can fill it, or drive out what is in use.
 *
 * @param most at least 1; at most twice as many are kept
 */
export function memoize<T>(compute: (text: string) => T, most = 1_000): (text: string) => T {
  const longest = Math.min(LONGEST, MOST_CHARACTERS / most);
  let known = new Map<string, T>();
  let older: typeof known = new Map();
  return (text) => {
    if (text.length > longest) return compute(text);
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as T;
    // Neither key nor value keeps the head alive that the text is a part of.
    const own = copyText(text);
    const value = older.has(own) ? older.get(own) as T : compute(own);
    if (known.size >= most) [older, known] = [known, new Map()];
    known.set(own, value);
    return value;
  };
}

/** A copy in memory of its own: a part of a text keeps all of the text alive, in V8 and in JavaScriptCore. */
export function copyText(text: string): string {
  return ` ${text}`.slice(1);
}

/** The same function, which remembers its last argument: the second of the clock is the same for hundreds of requests. */
export function memoizeLast<K, T>(compute: (key: K) => T): (key: K) => T {
  let last: { key: K; value: T } | undefined;
  return (key) => {
    if (!last || last.key !== key) last = { key, value: compute(key) };
    return last.value;
  };
}
