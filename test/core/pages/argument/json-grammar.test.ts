/** The table of JSON: what may follow where, byte by byte. Whole texts are in `members.test.ts`. @module */
import { expect, it } from "vitest";
import * as grammar from "../../../../src/core/pages/argument/json-grammar.ts";
import { alike } from "../../../support/rows.ts";

const { GRAMMAR, mayEnd } = grammar;
const step = (state: number, text: string) =>
  [...Buffer.from(text)].reduce((now, byte) => GRAMMAR[now * 256 + byte] as number, state);
/** The bytes that lead on from a state. */
const taken = (state: number) =>
  String.fromCharCode(
    ...Array.from({ length: 128 }, (_, byte) => byte).filter((byte) => GRAMMAR[state * 256 + byte]),
  );

it.each([
  { name: "VALUE", state: grammar.VALUE, bytes: '\t\n\r "-0123456789[fnt{' },
  { name: "FIRST_ITEM", state: grammar.FIRST_ITEM, bytes: '\t\n\r "-0123456789[]fnt{' },
  { name: "FIRST_NAME", state: grammar.FIRST_NAME, bytes: '\t\n\r "}' },
  { name: "NAME", state: grammar.NAME, bytes: '\t\n\r "' },
  { name: "COLON", state: grammar.COLON, bytes: "\t\n\r :" },
  { name: "AFTER", state: grammar.AFTER, bytes: "\t\n\r ,]}" },
  { name: "FAULT", state: grammar.FAULT, bytes: "" },
  { name: "zero", state: step(grammar.VALUE, "0"), bytes: "\t\n\r ,.E]e}" },
  { name: "minus", state: step(grammar.VALUE, "-"), bytes: "0123456789" },
  { name: "point", state: step(grammar.VALUE, "0."), bytes: "0123456789" },
  { name: "exponent", state: step(grammar.VALUE, "0e"), bytes: "+-0123456789" },
  { name: "sign", state: step(grammar.VALUE, "0e+"), bytes: "0123456789" },
  { name: "backslash", state: step(grammar.STRING, "\\"), bytes: '"/\\bfnrtu' },
  { name: "hexadecimal", state: step(grammar.STRING, "\\u00"), bytes: "0123456789ABCDEFabcdef" },
])("a state takes nothing but $name: $bytes", ({ state, bytes }) => expect(taken(state)).toBe(bytes));

it.each([
  ...alike("text", { ends: true })`true false null 0 -10.5e+20`,
  ...alike("text", { ends: false })`tru - 1. 1e "a`,
  { text: "", ends: false },
])("a text may end behind $text: $ends", ({ text, ends }) => {
  expect(mayEnd(step(grammar.VALUE, text))).toBe(ends);
});
