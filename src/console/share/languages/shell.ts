/**
 * Text for a shell: quoted so that bash and zsh pass on the very same bytes.
 * @module
 */

import { type PlainRequest, readText, writeBase64 } from "./request-parts.ts";

/** Signs that a terminal obeys, or reads as the end of what is pasted. */
const CONTROL = /[^\t\n\x20-\x7e\xa0-\uffff]/;
/** Bytes that a terminal, or the shell's own encoding, could change. */
const UNSAFE = /[^\t\n\x20-\x7e]/;
/** A longer argument is refused by Linux (`MAX_ARG_STRLEN`: 128 KiB); `printf` is built in and takes any. */
const MAX_ARGUMENT = 100_000;

/** Quotes text, which goes out as UTF-8. */
export function quote(text: string): string {
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  return quoteAnsi(
    text,
    /[^\t\n\x20\x22-\x7e\xa0-\uffff]/g,
    (code) => (code < 0x80 ? "" : "\\xc2") + escapeByte(code),
  );
}

/** Quotes Latin-1 text, one character for each byte. */
export function quoteBytes(text: string): string {
  return UNSAFE.test(text) ? quoteAnsi(text, /[^\x20\x22-\x7e]/g, escapeByte) : quote(text);
}

/** The word as it is where no shell reads a part of it as anything else. */
export function quoteWord(word: string): string {
  return /^[A-Za-z][A-Za-z-]*$/.test(word) ? word : quote(word);
}

/** ANSI-C quoting. Some shells replace `!` even there. */
function quoteAnsi(text: string, escaped: RegExp, escape: (code: number) => string): string {
  const written = text.replace(/[\\']/g, "\\$&").replace(escaped, (sign) => escape(sign.charCodeAt(0)));
  // A digit after `\xHH` would be read as a part of it by some shells.
  return `$'${written.replace(/(\\x[\da-f]{2})(?=[\da-fA-F])/g, "$1'$$'")}'`;
}

function escapeByte(code: number): string {
  return `\\x${code.toString(16).padStart(2, "0")}`;
}

/** How a body gets into a command. */
export interface ShellBody {
  /** What stands before the command, with its `|`; `""` if nothing does. */
  before: string;
  /** The body as an argument; `undefined` if it comes from before. */
  argument?: string;
}

/** Writes a body: as an argument if it is text, otherwise through a pipe. */
export function pipeBody({ body }: PlainRequest): ShellBody | undefined {
  if (body === undefined) return undefined;
  const text = readText(body);
  if (text === undefined) return { before: `printf %s ${quote(writeBase64(body))} | base64 -d | ` };
  if (text.length * 3 > MAX_ARGUMENT) return { before: `printf %s ${quote(text)} | ` };
  return { before: "", argument: quote(text) };
}

/** Joins the parts of a command, one on each line. */
export function joinLines(lines: readonly (string | false | undefined)[]): string {
  return lines.filter((line) => typeof line === "string").join(" \\\n  ");
}
