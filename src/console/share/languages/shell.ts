/**
 * Writes a request as a command for a shell: of curl, or of HTTPie. Text is quoted so that bash and zsh pass on the very same
 * bytes.
 * @see https://httpie.io/docs/cli/request-items
 * @module
 */

import { listFields, type PlainRequest, readText, writeBase64 } from "./request-parts.ts";
import { hasField } from "../../page/format.ts";

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
function quoteBytes(text: string): string {
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
interface ShellBody {
  /** What stands before the command, with its `|`; `""` if nothing does. */
  before: string;
  /** The body as an argument; `undefined` if it comes from before. */
  argument?: string;
}

/** Writes a body: as an argument if it is text, otherwise through a pipe. */
function pipeBody({ body }: PlainRequest): ShellBody | undefined {
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

/** What curl adds to a request that does not have it. */
const CURL_FIELDS = ["user-agent", "accept"];

/**
 * Writes the command. It sends these fields and no others, the body byte for byte, and follows no redirect.
 *
 * @param lines further arguments, each on its own line
 * @param own fields that curl may not add
 */
export function writeCurl(
  request: PlainRequest,
  lines: readonly string[] = [],
  own: readonly string[] = CURL_FIELDS,
): string {
  const { method, url } = request;
  const body = pipeBody(request);
  const implied = body ? "POST" : "GET";
  const isHead = method === "HEAD" && !body;
  const options = [
    // Without them, curl reads brackets as patterns and removes dot segments.
    /[[\]{}]/.test(url) && "--globoff",
    /\/\.|%2e/i.test(url) && "--path-as-is",
    isHead ? "--head" : method !== implied && `-X ${quoteWord(method)}`,
    hasField(request.headers, "accept-encoding") && "--compressed",
  ].filter(Boolean);
  const dropped = [...own, ...(body ? ["content-type"] : [])].filter((name) =>
    !hasField(request.headers, name)
  );
  const command = joinLines([
    ["curl", ...options, quote(url)].join(" "),
    ...listFields(request).map(writeField),
    ...dropped.map((name) => `-H '${name}:'`),
    ...lines,
    body && (body.argument === undefined ? "--data-binary @-" : `--data-raw ${body.argument}`),
  ]);
  const note = method === "HEAD" && body ? "# curl waits for a body after HEAD: end it with Ctrl+C\n" : "";
  return note + (body?.before ?? "") + command;
}

/** Writes a field. Of blanks alone, curl would leave it out. */
export function writeField([name, value]: readonly [name: string, value: string]): string {
  return `-H ${value.trim() === "" ? quote(`${name};`) : quoteBytes(`${name}: ${value}`)}`;
}

/** What HTTPie adds to a request that does not have it. `Accept:` leaves one out. */
const HTTPIE_FIELDS = ["User-Agent", "Accept", "Accept-Encoding"];

/** HTTPie takes any other method for the address, and sends the fields there. */
const HTTPIE_METHOD = /^[A-Za-z]+$/;

/**
 * Writes the command. It sends the body byte for byte and follows no redirect. It sends these fields, and of its own only a
 * `User-Agent` and an `Accept-Encoding: identity` where there is none (HTTPie 3.2). It encodes the address in its own way. Behind
 * `--` nothing is an option, whatever others named it.
 */
export function writeHttpie(request: PlainRequest): string {
  const { method, url } = request;
  if (!HTTPIE_METHOD.test(method)) return "# HTTPie cannot send this method: curl can";
  if (!listFields(request).every(([, value]) => isUtf8(value))) {
    return "# HTTPie cannot send these fields: curl can";
  }
  const body = pipeBody(request);
  const isPiped = body !== undefined && body.argument === undefined;
  const fields = listFields(request).map(([name, value]) =>
    value === "" ? quote(`${name};`) : quoteBytes(`${name}:${escapeValue(value)}`)
  );
  const dropped = [...HTTPIE_FIELDS, ...(body ? ["Content-Type"] : [])]
    .filter((name) => !hasField(request.headers, name.toLowerCase()));
  const options = [
    !isPiped && "--ignore-stdin",
    /\/\.|%2e/i.test(url) && "--path-as-is",
    body?.argument && `--raw=${body.argument}`,
  ].filter(Boolean);
  const command = joinLines([
    ["http", ...options, "--", method, quote(url)].join(" "),
    ...fields,
    ...dropped.map((name) => `${name}:`),
  ]);
  return (body?.before ?? "") + command;
}

/** HTTPie (3.2) ends with an error at a value of other bytes. */
function isUtf8(value: string): boolean {
  return readText(Uint8Array.from(value, (sign) => sign.charCodeAt(0))) !== undefined;
}

/** A value that begins with a separator would be read as another kind of item. */
function escapeValue(value: string): string {
  return /^[=@]/.test(value) ? `\\${value}` : value;
}
