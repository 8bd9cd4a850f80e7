/**
 * Parses JSON and refuses duplicate members, of which the second would silently replace the first (RFC 8259 §4).
 * @module
 */

const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]/g;

/**
 * Parses the text.
 *
 * @throws {SyntaxError} for text that is not JSON
 * @throws {TypeError} for a duplicate member of an object; the message is its name
 */
export function parseUniqueJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  /** The names of each open object; `undefined` for an array. */
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") noteName(open.at(-1), JSON.parse(last));
    last = token;
  }
  return value;
}

function noteName(names: Set<string> | undefined, name: string): void {
  if (names?.has(name)) throw new TypeError(name);
  names?.add(name);
}
