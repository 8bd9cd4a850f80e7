/**
 * Remembers what a pure function gave for a text, where the same few texts come with every request.
 * @module
 */

/** Longer texts are not kept. */
const LONGEST = 1_000;

/**
 * The same function with a memory. When it holds `most` texts it forgets them all, and long ones it does not keep, so
 * that nobody can fill it.
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
