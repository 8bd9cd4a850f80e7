/** What a setting may be given as beside text, and how a message shows it. */
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { describeValue, isRecord, readScalar, readValue } from "../../../src/core/settings/option-values.ts";
import { SETTINGS } from "../../../src/core/settings/settings.ts";

class Labels {
  a = "https://a.test";
}

it.each([
  { about: "an object", value: { a: 1 }, is: true },
  { about: "one without prototype", value: Object.create(null), is: true },
  { about: "one of another realm", value: runInNewContext("({ a: 1 })"), is: true },
  { about: "an array", value: [], is: false },
  { about: "an array of another realm", value: runInNewContext("[]"), is: false },
  { about: "a map", value: new Map(), is: false },
  { about: "a map of another realm", value: runInNewContext("new Map()"), is: false },
  { about: "a set", value: new Set(), is: false },
  { about: "a date", value: new Date(0), is: false },
  { about: "text as an object", value: Object("a"), is: false },
  { about: "an instance", value: new Labels(), is: false },
  { about: "an object behind another", value: Object.create({ a: 1 }), is: false },
  { about: "a function", value: () => {}, is: false },
  { about: "null", value: null, is: false },
  { about: "text", value: "a", is: false },
])("isRecord: $about: $is", ({ value, is }) => expect(isRecord(value)).toBe(is));

it.each(
  [
    { name: "port", value: 80, read: 80 },
    { name: "port", value: " 80 ", read: 80 },
    { name: "port", value: true, read: undefined },
    { name: "metrics", value: true, read: true },
    { name: "metrics", value: 0, read: false },
    { name: "privateTargets", value: false, read: false },
    { name: "signingKey", value: " a ", read: " a " },
    { name: "signingKey", value: false, read: undefined },
    { name: "proxyToken", value: 123, read: undefined },
    { name: "via", value: true, read: undefined },
    { name: "denyTargets", value: 127, read: undefined },
    { name: "denyTargets", value: ["a.test"], read: undefined },
    { name: "maxConcurrent", value: 10n, read: undefined },
  ] as const,
)("readScalar reads $value for $name as $read", ({ name, value, read }) => {
  expect<unknown>(readScalar<unknown>(SETTINGS[name], value)).toEqual(read);
});

it.each([
  { about: "an array with a hole", value: ["a.test", , "b.test"], read: undefined },
  { about: "an array with a number", value: ["a.test", 1], read: undefined },
  { about: "an array with an array", value: [["a.test"]], read: undefined },
  { about: "an array", value: ["a.test"], read: [{ kind: "name", host: "a.test" }] },
  { about: "an object", value: { "a.test": "80" }, read: undefined },
  { about: "an empty object", value: {}, read: undefined },
])("readValue reads $about for a list of targets", ({ value, read }) => {
  expect(readValue(SETTINGS.denyTargets, value)).toEqual(read);
});

describe("describeValue", () => {
  it.each([
    { value: "a\nb", shown: '"a\\nb"' },
    { value: -1, shown: "-1" },
    { value: NaN, shown: "NaN" },
    { value: false, shown: "false" },
    { value: 5n, shown: "5n" },
    { value: null, shown: "null" },
    { value: Symbol("x"), shown: "[symbol]" },
    { value: () => "x", shown: "[function]" },
    { value: new Set(["x"]), shown: "[object Set]" },
    { value: new Labels(), shown: "[object Object]" },
    { value: ["a", null, ["b"], Symbol("c")], shown: '["a",null,[object Array],[symbol]]' },
    { value: { a: "b\n", "c\n": 1 }, shown: '{"a":"b\\n","c\\n":1}' },
  ])("shows $shown", ({ value, shown }) => expect(describeValue(value)).toBe(shown));

  it.each([
    { value: "sesame", shown: "a secret that can't be used" },
    { value: 1234, shown: "[number]" },
    { value: ["sesame"], shown: "[object]" },
    { value: null, shown: "[object]" },
    { value: Symbol("sesame"), shown: "[symbol]" },
  ])("shows no secret: $shown", ({ value, shown }) => expect(describeValue(value, true)).toBe(shown));
});
