import { describe, expect, it } from "vitest";
import { parseUniqueJson } from "../../../src/core/http/unique-json.ts";

describe("JSON without twins", () => {
  it.each([
    '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}',
    '{"a":"b","b":"a:{","c":"\\"a\\":"}',
    "[]",
    '"a"',
  ])("reads %s", (text) => expect(parseUniqueJson(text)).toEqual(JSON.parse(text)));

  it.each([
    ['{"a":1,"a":2}', "a"],
    ['{"x":{"b":1,"c":2,"b":3}}', "b"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['[{"q":[1,{"z":1,"z":1}]}]', "z"],
  ])("refuses %s", (text, name) => expect(() => parseUniqueJson(text)).toThrow(new TypeError(name)));

  it.each(["{", "{'a':1}", "", "{} x"])("refuses %j as no JSON", (text) => {
    expect(() => parseUniqueJson(text)).toThrow(SyntaxError);
  });
});
