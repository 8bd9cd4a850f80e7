/**
 * The spellings of keys that texts are searched for, as a tree of characters, and the ways to read a text's characters.
 * @module
 */

/** Minimum bytes of a key whose Base64 is searched for: shorter Base64 occurs in ordinary text. */
const LEAST_BYTES = 6;

/** A node of the tree: the beginning of one or more spellings. */
export interface Branch {
  readonly id: number;
  /** Its last character, in lower case. */
  readonly code: number;
  readonly depth: number;
  /** The key that begins this way; the first one given if there are several. */
  readonly name: string;
  /** The key whose spelling ends here. */
  whole?: string;
  child?: Branch;
  sibling?: Branch;
}

/** All spellings of some keys. */
export interface Tree {
  readonly root: Branch;
  readonly size: number;
  /** True for the characters that a spelling may begin with. */
  readonly starts: readonly boolean[];
}

/** The key itself and its Base64, in lower case; hosts and some servers change the case. */
export function listSpellings(key: string): readonly string[] {
  return [key, ...key.length < LEAST_BYTES ? [] : listBase64(key)].map((text) =>
    String.fromCharCode(...[...text].map((character) => toLower(character.charCodeAt(0))))
  );
}

/**
 * The Base64 of the key inside of a longer text, once for each alignment of its first byte. Characters that mix its bits
 * with those of its neighbours are left out (RFC 4648 §4; `-` and `_` count as `+` and `/`).
 */
function listBase64(key: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = btoa("\0".repeat(before) + key);
    const [first, last] = [Math.ceil(before * 8 / 6), Math.floor((before + key.length) * 8 / 6)];
    return encoded.slice(first, last);
  });
}

/** Builds the tree. If keys share a spelling or its beginning, the first one given is named there. */
export function growTree(spellings: Iterable<readonly [name: string, spelling: string]>): Tree {
  const root: Branch = { id: 0, code: 0, depth: 0, name: "" };
  let size = 1;
  for (const [name, spelling] of spellings) {
    let branch = root;
    for (let at = 0; at < spelling.length; at += 1) {
      const code = spelling.charCodeAt(at);
      let next = findChild(branch, code);
      if (!next) {
        next = { id: size, code, depth: at + 1, name, ...branch.child && { sibling: branch.child } };
        branch.child = next;
        size += 1;
      }
      branch = next;
    }
    branch.whole ??= name;
  }
  const starts = Array.from({ length: 256 }, (_, code) => isStart(root, code));
  return { root, size, starts };
}

/** The branch that continues with this character. */
export function findChild(branch: Branch, code: number): Branch | undefined {
  let child = branch.child;
  while (child && child.code !== code) child = child.sibling;
  return child;
}

function isStart(root: Branch, code: number): boolean {
  if (code === PERCENT || code === BACKSLASH || isLead(code)) return true;
  return [code, otherOf(code)].some((one) => findChild(root, toLower(one)));
}

/** The code of `%`. */
export const PERCENT = 0x25;
/** The code of `\`. */
export const BACKSLASH = 0x5c;

/** A character of Latin-1 in lower case. */
export function toLower(code: number): number {
  const isUpper = (code >= 0x41 && code <= 0x5a) || (code >= 0xc0 && code <= 0xde && code !== 0xd7);
  return isUpper ? code + 0x20 : code;
}

/** Another reading of a character: `+` as a blank in forms, `-` and `_` of Base64url as `+` and `/`; else the same one. */
export function otherOf(code: number): number {
  if (code === 0x2b) return 0x20;
  if (code === 0x2d) return 0x2b;
  return code === 0x5f ? 0x2f : code;
}

/** True for the first of two UTF-8 bytes that encode a Latin-1 character, also after a change of case. */
export function isLead(code: number): boolean {
  return (code & 0xde) === 0xc2;
}

/** The character that two UTF-8 bytes encode, in lower case; -1 if they encode none. */
export function readPair(lead: number, next: number): number {
  return isLead(lead) && (next & ~0x3f) === 0x80 ? toLower((lead & 3) << 6 | next & 0x3f) : -1;
}

/** The value of two hexadecimal digits; -1 for anything else. */
export function readHex(text: string, at: number): number {
  const [high, low] = [digitOf(text.charCodeAt(at)), digitOf(text.charCodeAt(at + 1))];
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
