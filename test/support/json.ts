/**
 * Random JSON, written in every way that it may be written, and torn apart. The same seed gives the same texts.
 * @module
 */
import { Dice } from "./dice.ts";

/** Gives a whole number below the limit. */
export type Random = (limit: number) => number;

/** The numbers of dice with this seed. */
export function randomFrom(seed: number): Random {
  const dice = new Dice(seed);
  return (limit) => Math.floor(dice.roll() * limit);
}

const BLANKS = ["", "", "", " ", "\n", "\t ", "\r\n"];
const NUMBERS = ["0", "-0", "1", "-12", "0.5", "1e5", "1E+05", "-2.50e-3", "9007199254740993", "1e400"];
const PARTS = [
  "a",
  "b",
  " ",
  "é",
  "日",
  "🚀",
  "\u007f",
  "\\n",
  '\\"',
  "\\\\",
  "\\/",
  "\\u00e9",
  "\\uD83D\\uDE00",
  "\\ud800",
];
const NAMES = ['"a"', '"b"', '"\\u0061"', '"__proto__"', '""', '"1"', '"constructor"'];
const TORN = [...'[]{},:"\\0-e.u \n'].map((character) => character.charCodeAt(0)).concat(
  0x00,
  0x80,
  0xc3,
  0xff,
);

const pick = <T>(list: readonly T[], random: Random) => list[random(list.length)] as T;
const repeat = (random: Random, write: () => string) => Array.from({ length: random(5) }, write);

/** A valid text. */
export function writeJson(random: Random, depth = 0): string {
  const blank = () => pick(BLANKS, random);
  const value = () => `${blank()}${writeJson(random, depth + 1)}${blank()}`;
  const member = () => `${blank()}${pick(NAMES, random)}${blank()}:${value()}`;
  const kind = random(depth > 4 ? 5 : 9);
  if (kind === 0) return pick(["true", "false", "null"], random);
  if (kind < 3) return pick(NUMBERS, random);
  if (kind < 5) return `"${repeat(random, () => pick(PARTS, random)).join("")}"`;
  return kind < 7
    ? `${blank()}[${repeat(random, value).join(",") || blank()}]`
    : `{${repeat(random, member).join(",") || blank()}}${blank()}`;
}

/** The same text with some bytes changed, dropped, added or cut off, so that most are malformed. */
export function mutate(json: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const bytes = [...json];
  for (let count = 1 + random(2); count > 0; count -= 1) {
    const at = random(bytes.length + 1);
    const kind = random(4);
    if (kind === 0) bytes.length = at;
    else bytes.splice(at, kind === 1 ? 1 : 0, ...kind === 2 ? [pick(TORN, random)] : []);
    if (kind === 3 && at < bytes.length) bytes[at] = pick(TORN, random);
  }
  return Uint8Array.from(bytes);
}
