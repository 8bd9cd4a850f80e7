/**
 * Parses JSON and refuses duplicate members, of which the second would silently replace the first (RFC 8259 §4). Finds where a
 * member stands.
 * @module
 */

const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]/g;

/** A name that an object has twice. The message is the name. */
export class TwinError extends TypeError {
  /** Where the second one begins, in UTF-16 code units. */
  readonly at: number;

  /** Makes the error. */
  constructor(name: string, at: number) {
    super(name);
    this.at = at;
  }
}

/**
 * Parses the text.
 *
 * @throws {SyntaxError} for text that is not JSON
 * @throws {TwinError} for a duplicate member of an object
 */
export function parseUniqueJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  /** The names of each open object; `undefined` for an array. */
  const open: (Set<string> | undefined)[] = [];
  let last = { token: "", at: 0 };
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const name: string = JSON.parse(last.token);
      if (open.at(-1)?.has(name)) throw new TwinError(name, last.at);
      open.at(-1)?.add(name);
    }
    last = { token, at };
  }
  return value;
}

/**
 * Finds where the name of a member begins in JSON.
 *
 * @param path the names that lead to it, from the outermost object on
 * @returns in UTF-16 code units; `undefined` if there is no such member
 */
export function findMember(text: string, path: readonly string[]): number | undefined {
  /** The name of the current member in each open object. */
  const names: (string | undefined)[] = [];
  let last = { token: "", at: 0 };
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") names.push(undefined);
    else if (token === "}" || token === "]") names.pop();
    else if (token === ":") {
      names[names.length - 1] = JSON.parse(last.token);
      if (names.length === path.length && names.every((name, depth) => name === path[depth])) return last.at;
    }
    last = { token, at };
  }
  return undefined;
}
