/**
 * The grammar of JSON as a table: a state and the next byte give the next state, or an action. It includes UTF-8, so a
 * text is validated in one pass over its bytes (RFC 8259, RFC 3629 §4).
 * @module
 */

/** The text is malformed; there is no way out of this state. */
export const FAULT = 0;
/** A value is expected. */
export const VALUE = 1;
/** After `[`: a value or `]`. */
export const FIRST_ITEM = 2;
/** After `{`: a name or `}`. */
export const FIRST_NAME = 3;
/** After a comma in an object: a name. */
export const NAME = 4;
/** After a name: a colon. */
export const COLON = 5;
/** After a value. */
export const AFTER = 6;
/** Inside a string, whether it is a name or a value. */
export const STRING = 7;

const ESCAPE = 8;
/** Number of missing hexadecimal digits of `\u`. */
const HEX_1 = 9;
const HEX_2 = 10;
const HEX_3 = 11;
const HEX_4 = 12;
/** Number of missing bytes of a character. */
const TAIL_1 = 13;
const TAIL_2 = 14;
const TAIL_3 = 15;
/** After a first byte that allows only some second bytes. */
const E0 = 16;
const ED = 17;
const F0 = 18;
const F4 = 19;
const MINUS = 20;
const ZERO = 21;
const INTEGER = 22;
const POINT = 23;
const FRACTION = 24;
const EXPONENT = 25;
const SIGN = 26;
const POWER = 27;
/** States from here on are for the rest of `true`, `false` and `null`. */
const LITERALS = 28;

/** Values from here on are actions: the reader decides which state follows. */
export const OPEN_ARRAY = 64;
/** `{` in place of a value. */
export const OPEN_OBJECT = 65;
/** `]`, which ends an array if one is open. */
export const CLOSE_ARRAY = 66;
/** `}`, which ends an object if one is open. */
export const CLOSE_OBJECT = 67;
/** A comma after a value. */
export const NEXT = 68;
/** A colon after a name. */
export const ASSIGN = 69;
/** The quote that opens a name. */
export const OPEN_NAME = 70;
/** The quote that ends a string. */
export const CLOSE_STRING = 71;

type Bytes = string | readonly [first: number, last: number];
type Rule = readonly [from: readonly number[], taken: Bytes, to: number];

const NUMBERS = [ZERO, INTEGER, FRACTION, POWER];
const BLANKS = " \t\n\r";
const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdefABCDEF`;
const TAIL = [0x80, 0xbf] as const;

const RULES: readonly Rule[] = [
  ...[VALUE, FIRST_ITEM, FIRST_NAME, NAME, COLON].map((state): Rule => [[state], BLANKS, state]),
  [[AFTER, ...NUMBERS], BLANKS, AFTER],

  [[VALUE, FIRST_ITEM], "[", OPEN_ARRAY],
  [[VALUE, FIRST_ITEM], "{", OPEN_OBJECT],
  [[FIRST_ITEM, AFTER, ...NUMBERS], "]", CLOSE_ARRAY],
  [[FIRST_NAME, AFTER, ...NUMBERS], "}", CLOSE_OBJECT],
  [[AFTER, ...NUMBERS], ",", NEXT],
  [[FIRST_NAME, NAME], '"', OPEN_NAME],
  [[COLON], ":", ASSIGN],

  [[VALUE, FIRST_ITEM], "-", MINUS],
  [[VALUE, FIRST_ITEM, MINUS], "0", ZERO],
  [[VALUE, FIRST_ITEM, MINUS], "123456789", INTEGER],
  [[INTEGER], DIGITS, INTEGER],
  [[ZERO, INTEGER], ".", POINT],
  [[POINT, FRACTION], DIGITS, FRACTION],
  [[ZERO, INTEGER, FRACTION], "eE", EXPONENT],
  [[EXPONENT], "+-", SIGN],
  [[EXPONENT, SIGN, POWER], DIGITS, POWER],

  [[VALUE, FIRST_ITEM], '"', STRING],
  [[STRING], [0x20, 0x7f], STRING],
  [[STRING], '"', CLOSE_STRING],
  [[STRING], "\\", ESCAPE],
  [[ESCAPE], '"\\/bfnrt', STRING],
  [[ESCAPE], "u", HEX_4],
  [[HEX_4], HEX, HEX_3],
  [[HEX_3], HEX, HEX_2],
  [[HEX_2], HEX, HEX_1],
  [[HEX_1], HEX, STRING],

  [[STRING], [0xc2, 0xdf], TAIL_1],
  [[STRING], [0xe0, 0xe0], E0],
  [[STRING], [0xe1, 0xef], TAIL_2],
  [[STRING], [0xed, 0xed], ED],
  [[STRING], [0xf0, 0xf0], F0],
  [[STRING], [0xf1, 0xf3], TAIL_3],
  [[STRING], [0xf4, 0xf4], F4],
  [[TAIL_3], TAIL, TAIL_2],
  [[TAIL_2], TAIL, TAIL_1],
  [[TAIL_1], TAIL, STRING],
  [[E0], [0xa0, 0xbf], TAIL_1],
  [[ED], [0x80, 0x9f], TAIL_1],
  [[F0], [0x90, 0xbf], TAIL_2],
  [[F4], [0x80, 0x8f], TAIL_2],
];

/** The next state or action, at index state × 256 + byte. A later rule overrides an earlier one. */
export const GRAMMAR: Uint8Array = makeTable();

function makeTable(): Uint8Array {
  const table = new Uint8Array(64 * 256);
  let free = LITERALS;
  for (const [from, taken, to] of RULES) {
    for (const state of from) for (const byte of bytesOf(taken)) table[state * 256 + byte] = to;
  }
  for (const literal of ["true", "false", "null"]) {
    let states = [VALUE, FIRST_ITEM];
    [...bytesOf(literal)].forEach((byte, index) => {
      const to = index === literal.length - 1 ? AFTER : free++;
      for (const state of states) table[state * 256 + byte] = to;
      states = [to];
    });
  }
  return table;
}

function bytesOf(taken: Bytes): number[] {
  if (typeof taken === "string") return [...taken].map((character) => character.charCodeAt(0));
  const [first, last] = taken;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** True for a state in which the whole text may end. */
export function mayEnd(state: number): boolean {
  return state === AFTER || NUMBERS.includes(state);
}
