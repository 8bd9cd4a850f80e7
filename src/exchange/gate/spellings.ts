/**
 * The spellings of a key in a field: as it is, percent-encoded once or more, escaped as JSON, in Base64.
 * @module
 */

/** Base64 of less than this many bytes is found in ordinary text. */
const LEAST_BYTES = 6;

/** A pattern for all spellings of a key, in any mixture and in either case. */
export function patternOf(key: string): RegExp {
  const spellings = [key, ...key.length < LEAST_BYTES ? [] : listBase64(key)];
  return new RegExp(spellings.map((text) => [...text].map(patternOfCharacter).join("")).join("|"), "gi");
}

/** A text that ends in fewer characters of a key is no loss. */
const LEAST_TOLD = 4;

/** A pattern for a text that was cut within a key: its beginning, at the end of the text. */
export function patternOfStart(key: string): RegExp {
  const spellings = [key, ...key.length < LEAST_BYTES ? [] : listBase64(key)];
  const patterns = spellings.map((text) => {
    const characters = [...text].map(patternOfCharacter);
    const rest = characters.slice(LEAST_TOLD).reduceRight((inner, one) => `(?:${one}${inner})?`, "");
    return characters.slice(0, LEAST_TOLD).join("") + rest;
  });
  return new RegExp(`(?:${patterns.join("|")})$`, "i");
}

/** One character of Latin-1; hosts and some servers change the case. */
function patternOfCharacter(character: string): string {
  const code = hexOf(character.charCodeAt(0));
  const spellings = [escape(character), `%(?:25)*${code}`, `\\\\+u00${code}`];
  if (character === " ") spellings.push("\\+");
  if (character === "+") spellings.push("-");
  if (character === "/") spellings.push("_");
  if (character > "\x7f") {
    const bytes = [...new TextEncoder().encode(character)];
    spellings.push(bytes.map((byte) => `\\x${hexOf(byte)}`).join(""));
    spellings.push(bytes.map((byte) => `%(?:25)*${hexOf(byte)}`).join(""));
  }
  return `(?:${spellings.join("|")})`;
}

/** The character with the backslashes that JSON may put before it. */
function escape(character: string): string {
  return /[A-Za-z0-9]/.test(character) ? character : `\\\\*\\x${hexOf(character.charCodeAt(0))}`;
}

/**
 * The Base64 of a text that holds the key: it depends on how many bytes stand before. Characters that mix its bits with
 * those of its neighbours are left out (RFC 4648 §4; `-` and `_` count as `+` and `/`).
 */
function listBase64(key: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = btoa("\0".repeat(before) + key);
    const [first, last] = [Math.ceil(before * 8 / 6), Math.floor((before + key.length) * 8 / 6)];
    return encoded.slice(first, last);
  });
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
