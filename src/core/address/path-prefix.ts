/**
 * Tells whether a path lies below another, however servers read it.
 * @module
 */

/**
 * True for a path that begins with one of the prefixes and that no server would read as a path outside of it. Servers
 * differ in what they decode, in what separates segments, and in whether they resolve `..` at all (RFC 3986 §5.2.4).
 * `=` before a prefix stands for that path alone, as it is written, with any query.
 */
export function isBelow(prefixes: readonly string[], path: string): boolean {
  const [pathname = ""] = path.split("?", 1);
  const exact = `=${pathname}`;
  return prefixes.some((prefix) => {
    if (prefix.startsWith("=")) return prefix === exact;
    if (!isUnder(pathname, prefix)) return false;
    // No path leads above the root.
    return prefix === "/" || (!leadsUp(prefix) && staysBelow(pathname.slice(prefix.length)));
  });
}

function isUnder(path: string, prefix: string): boolean {
  return prefix.endsWith("/") ? path.startsWith(prefix) : path === prefix || path.startsWith(`${prefix}/`);
}

/** True for a prefix with a `..` in it: no path counts as below such a prefix. */
function leadsUp(prefix: string): boolean {
  return listSteps(prefix).some((step) => step < 0);
}

/**
 * True if no server would read the path after a prefix as leading above that prefix. Counts the worst case of each step:
 * what any server reads as `..` goes up, and only what every server reads as a segment of its own goes down.
 */
function staysBelow(rest: string): boolean {
  let depth = 0;
  return listSteps(rest).every((step) => (depth += step) >= 0);
}

/** Maximum layers of percent-encoding that are decoded; a path with more is refused. */
const MOST_DECODED = 3;
/** A percent-encoded ASCII character: plain (`%2e`), as in old IIS (`%u002e`), or as two to four bytes of overlong UTF-8. */
const ENCODED = /%(?:u00)?([0-7][\da-f])|%(?:c|e0%8|f0%80%8)([01])%([89ab][\da-f])/gi;

function listSteps(path: string): number[] {
  if (!/[.%]/.test(path)) return [];
  return path.split("/").flatMap((part) => {
    const text = decode(part);
    if (text === undefined) return [Number.NEGATIVE_INFINITY];
    // Not every server starts a new segment after an encoded slash or a backslash.
    return text.split(/[/\\]/).map((piece, index) => stepOf(piece, index === 0));
  });
}

/** The text, decoded as often as any server would; `undefined` if something is left to decode. */
function decode(part: string): string | undefined {
  let text = part;
  for (let times = 0; times < MOST_DECODED && text.includes("%"); times += 1) {
    text = text.replace(ENCODED, (_, plain: string | undefined, lead: string, tail: string) => {
      const code = plain === undefined ? Number(lead) * 64 + parseInt(tail, 16) - 128 : parseInt(plain, 16);
      return String.fromCharCode(code);
    });
  }
  return text.search(ENCODED) < 0 ? text : undefined;
}

/** -1 up, 1 down, else 0. Servers may drop parameters (`;`), end a path at `?`, `#` or NUL, and skip blanks and controls. */
function stepOf(piece: string, isOwn: boolean): number {
  const name = readName(piece, /[;?#\0].*$/s);
  // Some skip NUL, too.
  if (name === ".." || readName(piece, /[;?#].*$/s) === "..") return -1;
  return isOwn && !/^\.*$/.test(name) ? 1 : 0;
}

function readName(piece: string, end: RegExp): string {
  return piece.replace(end, "").replace(/[^!-~\u0080-\uffff]/g, "");
}
