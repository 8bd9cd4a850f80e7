import { describe, expect, it } from "vitest";
import { findMember, parseUniqueJson, TwinError } from "../../../src/core/http/unique-json.ts";

describe("JSON without twins", () => {
  it.each([
    '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}',
    '{"a":"b","b":"a:{","c":"\\"a\\":"}',
    "[]",
    '"a"',
  ])("reads %s", (text) => expect(parseUniqueJson(text)).toEqual(JSON.parse(text)));

  it.each([
    ['{"a":1,"a":2}', "a", 7],
    ['{"x":{"b":1,"c":2,"b":3}}', "b", 18],
    ['{"a":1,"\\u0061":2}', "a", 7],
    ['[{"q":[1,{"z":1,"z":1}]}]', "z", 16],
  ])("refuses %s", (text, name, at) => expect(() => parseUniqueJson(text)).toThrow(new TwinError(name, at)));

  it.each(["{", "{'a':1}", "", "{} x"])("refuses %j as no JSON", (text) => {
    expect(() => parseUniqueJson(text)).toThrow(SyntaxError);
  });
});

it.each([
  { path: ["a"], at: 1 },
  { path: ["b"], at: 15 },
  { path: ["b", "a"], at: 20 },
  { path: ["b", "c"], at: 37 },
  { path: ["a", "b"], at: undefined },
  { path: ["z"], at: undefined },
])("a member stands where its name begins: $path", ({ path, at }) => {
  expect(findMember('{"a":[{"z":1}],"b":{"a":"{\\"z\\":1}", "c" :2}}', path)).toBe(at);
});
