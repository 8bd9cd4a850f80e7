/** Where a text stops being JSON, and what was expected there. */
import { expect, it } from "vitest";
import { findJsonFault } from "../../../../src/parts/gate/targets/json-fault.ts";
import { rowsOf } from "../../../support/rows.ts";

const NAME = "a name in double quotes";

it.each(rowsOf(["text", "place", "expected"], [
  ["", "1:1", "a value"],
  ["{", "1:2", `${NAME}, or }`],
  ['{"a":1,}', "1:8", NAME],
  ['{\n  "a": {},\n  "b": {},\n}\n', "4:1", NAME],
  ['{"a" 1}', "1:6", "a colon"],
  ['{"a":}', "1:6", "a value"],
  ['{"a":1 "b":2}', "1:8", "a comma, or }"],
  ['{"a":{}\n "b":2}', "2:2", "a comma, or }"],
  ["[1,]", "1:4", "a value"],
  ["[1 2]", "1:4", "a comma, or ]"],
  ["[", "1:2", "a value, or ]"],
  ['{"a":[1}', "1:8", "a comma, or ]"],
  ["{} {}", "1:4", "nothing more"],
  ["{}]", "1:3", "nothing more"],
  ["{a:1}", "1:2", `${NAME}, or }`],
  ["{'a':1}", "1:2", `${NAME}, or }`],
  ['{"a":1, // comment\n}', "1:9", NAME],
  ['{"a":"b\n"}', "1:6", "a value"],
  ['{"a":"\\x"}', "1:6", "a value"],
  ['{"a":"open}', "1:6", "a value"],
  ['{"a":01}', "1:6", "a value"],
  ['{"a":1.}', "1:6", "a value"],
  ['{"a":truely}', "1:6", "a value"],
  ['{"a":,}', "1:6", "a value"],
  ["{:1}", "1:2", `${NAME}, or }`],
  ["{\r\n,}", "2:1", `${NAME}, or }`],
  ["\ufeff{}", "1:1", "a value"],
]))("$text: $place, $expected", ({ text, place, expected }) => {
  const fault = findJsonFault(text);
  expect([`${fault?.line}:${fault?.column}`, fault?.expected]).toEqual([place, expected]);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
});

it.each([
  "{}",
  " [ ] \n",
  "0",
  '"a\\u00e9\\n\\""',
  '{"a":[1,-0.5e+3,true,false,null,"x",{}],"b":{"c":[]}}',
  "[[],[[]],{}]\t\r\n",
].map((text) => ({ text })))("none: $text", ({ text }) => {
  expect(findJsonFault(text)).toBeUndefined();
  expect(JSON.parse(text)).not.toBeUndefined();
});
