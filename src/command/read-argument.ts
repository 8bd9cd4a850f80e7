/**
 * Reads the JSON of a fetch argument, and validates it as the proxy does.
 * @module
 */

import { encodeBase64url } from "../core/address/base64url.ts";
import { ProxyError } from "../core/http/error.ts";
import { parseArgument } from "../core/pages/argument/argument.ts";

/** Maximum length of an address that a proxy accepts on every runtime, in characters. */
const MAX_LINK_LENGTH = 60_000;
const FORMAT = "Invalid Base64 or JSON format";

/** Takes a line about what was assumed; `fetchvia` writes it to stderr. */
export type Note = (line: string) => void;

/**
 * Packs the JSON of an argument. Numbers keep their spelling; blanks between tokens are removed.
 *
 * @param note told of a body without a method
 * @returns Base64url without padding
 * @throws {Error} with the message that the proxy would answer
 */
export async function packArgument(json: string, note: Note): Promise<string> {
  const written = new TextEncoder().encode(json);
  const { body } = await parseArgument(written).catch((error: unknown) => {
    throw error instanceof ProxyError && error.message === FORMAT
      ? new Error(
        `Cannot use the JSON: it is malformed, expected an object such as {"url":"https://example.com/"}`,
      )
      : error;
  });
  if (body && !("method" in JSON.parse(json))) {
    note('the request is a GET with a body, which many servers ignore; "method": "POST" changes that');
  }
  const short = dropBlanks(json);
  return checkLength(encodeBase64url(new TextEncoder().encode(short)));
}

/** Removes the blanks between the tokens of valid JSON (RFC 8259 §2); strings stay unchanged. */
function dropBlanks(json: string): string {
  let short = "";
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (char === '"') isInString = !isInString;
    if (isInString || !/[ \t\r\n]/.test(char)) short += char;
    // A character after a backslash never ends the string.
    if (char === "\\") short += json.charAt(++at);
  }
  return short;
}

function checkLength(arg: string): string {
  if (arg.length <= MAX_LINK_LENGTH) return arg;
  throw new Error(
    `Cannot put the JSON into a link: it has ${arg.length} characters as Base64, expected at most ${MAX_LINK_LENGTH}. ` +
      "POST it to /__proxy__/fetch",
  );
}
