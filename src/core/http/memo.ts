/**
 * Caches the results of pure functions of a text, because requests repeat the same few texts.
 * @module
 */

/** Longer texts are not cached. */
const LONGEST = 1_000;

/**
 * The same function with a cache. At `most` entries the cache is cleared, and long texts are not cached, so that nobody
 * can fill it.
 *
 * @param most at least 1
 */
export function memoize<T>(compute: (text: string) => T, most = 1_000): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > LONGEST) return compute(text);
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as T;
    if (known.size >= most) known.clear();
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}

/** The same function, which remembers its last argument: the second of the clock is the same for hundreds of requests. */
export function memoizeLast<K, T>(compute: (key: K) => T): (key: K) => T {
  let last: { key: K; value: T } | undefined;
  return (key) => {
    if (!last || last.key !== key) last = { key, value: compute(key) };
    return last.value;
  };
}
