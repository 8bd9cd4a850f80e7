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
  return readSteps(prefix).some((steps) => steps.some((step) => step < 0));
}

/**
 * True if no server would read the path after a prefix as leading above that prefix. Counts the worst case of each step:
 * what any server reads as `..` goes up, and only what every server reads as a segment of its own goes down.
 */
function staysBelow(rest: string): boolean {
  return readSteps(rest).every((steps) => {
    let depth = 0;
    return steps.every((step) => (depth += step) >= 0);
  });
}

/** Maximum layers of percent-encoding that are decoded; a path with more is refused. */
const MOST_DECODED = 3;
/** A percent-encoded byte (`%2e`), or a character as in old IIS (`%u002e`). */
const ENCODED = /%(?:u([\da-f]{4})|([\da-f]{2}))/gi;
/** A sequence of UTF-8, one character for each byte: overlong, long or malformed ones too, as some servers decode them. */
const SEQUENCE =
  /[\xc0\xc1][\0-\x7f]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}|[\xf8-\xfb][\x80-\xbf]{4}|[\xfc\xfd][\x80-\xbf]{5}/g;
/** What servers take for a plain character, beside Unicode's compatible forms: dots of IDNA (RFC 3490 §3.1), best fit of Windows. */
const FITTING: readonly (readonly [RegExp, string])[] = [
  [/\u3002/g, "."],
  [/[\u0338\u2044\u2215\u29f8\u20e5\u2216\u29f5\u29f9]/g, "/"],
  [/\u066a/g, "%"],
  [/[\xa5\u20a9]/g, "\\"],
];

/**
 * What servers make of bytes beyond ASCII: characters, with plain ones in place of those that fit; nothing; or the low byte
 * of each character.
 */
const READINGS: readonly ((bytes: string) => string)[] = [
  (bytes) => fit(readCharacters(bytes)),
  (bytes) => bytes.replace(/[\x80-\uffff]/g, ""),
  (bytes) =>
    readCharacters(bytes).replace(/[\u0100-\uffff]/g, (one) => String.fromCharCode(one.charCodeAt(0) & 255)),
];

/** The steps of a path in each reading; none for a path that all servers read alike. */
function readSteps(path: string): number[][] {
  return /[.%\u0080-\uffff]/.test(path) ? READINGS.map((read) => listSteps(path, read)) : [];
}

function listSteps(path: string, read: (bytes: string) => string): number[] {
  return path.split("/").flatMap((part) => {
    const text = decode(part, read);
    if (text === undefined) return [Number.NEGATIVE_INFINITY];
    // Not every server starts a new segment after an encoded slash or a backslash.
    return text.split(/[/\\]/).map((piece, index) => stepOf(piece, index === 0));
  });
}

/** The text, decoded as often as any server would; `undefined` if something is left to decode. */
function decode(part: string, read: (bytes: string) => string): string | undefined {
  let text = part;
  for (let times = 0; times < MOST_DECODED && /[%\u0080-\uffff]/.test(text); times += 1) {
    const bytes = text.replace(ENCODED, (_, wide: string | undefined, byte: string) => {
      return String.fromCharCode(parseInt(wide ?? byte, 16));
    });
    text = read(bytes);
  }
  return text.search(ENCODED) < 0 ? text : undefined;
}

function readCharacters(bytes: string): string {
  return bytes.replace(SEQUENCE, decodeSequence);
}

function decodeSequence(sequence: string): string {
  const [lead = 0, ...rest] = [...sequence].map((byte) => byte.charCodeAt(0));
  const code = rest.reduce((bits, byte) => bits * 64 + (byte & 63), lead & (63 >> rest.length));
  return code > 0x10ffff ? sequence : String.fromCodePoint(code);
}

/** The text with plain characters in place of those that some servers take for them, such as a full-width dot (Unicode NFKD). */
function fit(text: string): string {
  return FITTING.reduce((read, [pattern, plain]) => read.replace(pattern, plain), text.normalize("NFKD"));
}

/**
 * -1 up, 1 down, else 0. Servers may drop parameters (`;`), end a path at `?`, `#` or NUL, and skip blanks, controls and what
 * is beyond ASCII.
 */
function stepOf(piece: string, isOwn: boolean): number {
  const name = readName(piece, /[;?#\0].*$/s);
  // Some skip NUL, too.
  if (name === ".." || readName(piece, /[;?#].*$/s) === "..") return -1;
  return isOwn && !/^\.*$/.test(name) ? 1 : 0;
}

function readName(piece: string, end: RegExp): string {
  return piece.replace(end, "").replace(/[^!-~]/g, "");
}
