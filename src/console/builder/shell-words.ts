/**
 * Splits a command into words, as POSIX shells do (with `$'…'` of bash), or as cmd.exe does.
 * @module
 * @see POSIX.1-2024 XCU 2.2 (Quoting)
 */

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};
/** An escape of `$'…'`: octal, hexadecimal, Unicode, or one letter. */
const ESCAPE = /\\(?:([0-7]{1,3})|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([\s\S]))/g;
const PARAMETER = /^\$(?:\w+|\{[^}]*\}|\([^)]*\))/;

/**
 * Splits the first command of a text; `expands` names what a shell would have replaced, such as `$HOME`.
 *
 * @throws {SyntaxError} if a quote does not end
 */
export function splitWords(text: string) {
  return isCmd(text) ? splitPosix(fromCmd(text)) : splitPosix(text);
}

/** `curl ^"…^" ^` of Chrome's "Copy as cURL (cmd)". */
function isCmd(text: string): boolean {
  return /\^["\r\n]/.test(text) && !/'/.test(text.slice(0, text.indexOf("^")));
}

/** Takes the carets away: then only double quotes and `\\"` are left, which the C runtime reads as POSIX shells do. */
function fromCmd(text: string): string {
  const plain = text.replace(/\^(\r\n|[\s\S])/g, (_, next: string) => /^\r?\n$/.test(next) ? " " : next);
  // Nothing else is special between these quotes.
  return plain.replace(/\\(?!")/g, "\\\\").replace(/[$`]/g, "\\$&");
}

function splitPosix(text: string) {
  const words: string[] = [];
  const expands: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at, at + 2);
    const character = text[at] as string;
    if (rest === "\\\n" || text.startsWith("\\\r\n", at)) at += rest === "\\\n" ? 2 : 3;
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      // A new line ends the command.
      if (character === "\n" && words.length > 0) break;
    } else if (/[;|&<>]/.test(character) && word === undefined) break;
    else if (/[;|]/.test(character)) break;
    else {
      const piece = readPiece(text, at, expands);
      word = (word ?? "") + piece.text;
      at = piece.end;
    }
  }
  if (word !== undefined) words.push(word);
  return { words, expands };
}

function readPiece(text: string, at: number, expands: string[]) {
  const character = text[at] as string;
  if (character === "'") {
    const end = findEnd(text, "'", at + 1);
    return { text: text.slice(at + 1, end), end: end + 1 };
  }
  if (character === "$" && text[at + 1] === "'") return readAnsi(text, at + 2);
  if (character === '"') return readDouble(text, at + 1, expands);
  if (character === "\\") return { text: text[at + 1] ?? "", end: at + 2 };
  noteParameter(text, at, expands);
  return { text: character, end: at + 1 };
}

function readDouble(text: string, start: number, expands: string[]) {
  let read = "";
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '"') return { text: read, end: at + 1 };
    if (character === "\\" && /["\\$`\n]/.test(text[at + 1] ?? "")) {
      at += 1;
      if (text[at] !== "\n") read += text[at];
      continue;
    }
    noteParameter(text, at, expands);
    read += character;
  }
  throw new SyntaxError('a " does not end');
}

function readAnsi(text: string, start: number) {
  let end = start;
  while (end < text.length && text[end] !== "'") end += text[end] === "\\" ? 2 : 1;
  if (end >= text.length) throw new SyntaxError("a $' does not end");
  const read = text.slice(start, end).replace(ESCAPE, (escape, octal, hex, unit, code, letter) => {
    if (octal) return String.fromCharCode(parseInt(octal, 8) & 255);
    const digits = hex ?? unit ?? code;
    if (digits) return String.fromCodePoint(Math.min(parseInt(digits, 16), 0x10ffff));
    return ESCAPES[letter as string] ?? escape;
  });
  return { text: read, end: end + 1 };
}

function noteParameter(text: string, at: number, expands: string[]): void {
  const found = text[at] === "$" ? PARAMETER.exec(text.slice(at, at + 100))?.[0] : undefined;
  if (found) expands.push(found);
  if (text[at] === "`") expands.push("`…`");
}

function findEnd(text: string, quote: string, start: number): number {
  const end = text.indexOf(quote, start);
  if (end < 0) throw new SyntaxError(`a ${quote} does not end`);
  return end;
}
