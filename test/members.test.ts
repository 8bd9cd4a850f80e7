/**
 * The members of a JSON object as written, found where `JSON.parse` finds them.
 * @module
 */
import { describe, expect, it } from "vitest";
import { readMembers } from "../src/members.ts";

describe("readMembers", () => {
  it.each([
    { json: "{}", members: {} },
    { json: " { } ", members: {} },
    { json: "[]", members: {} },
    { json: '{"a":1}', members: { a: "1" } },
    { json: '{"a":9007199254740993,"b":1e400}', members: { a: "9007199254740993", b: "1e400" } },
    { json: '\n{ "a" :\t-0.10 , "b": null }\n', members: { a: "-0.10", b: "null" } },
    { json: '{"b":{"b":1, "c":[2]},"a":[{"b":3}]}', members: { b: '{"b":1, "c":[2]}', a: '[{"b":3}]' } },
    { json: '{"a":"x\\"}, \\"b\\": 1","c":2}', members: { a: '"x\\"}, \\"b\\": 1"', c: "2" } },
    { json: '{"a\\"":"\\\\","b":"\\\\\\""}', members: { 'a"': '"\\\\"', b: '"\\\\\\""' } },
    { json: '{"b\\u006fdy":1}', members: { body: "1" } },
    { json: '{"a":1,"a":2}', members: { a: "2" } },
    { json: '{"":1}', members: { "": "1" } },
    { json: '{"a:b":"c:d,e"}', members: { "a:b": '"c:d,e"' } },
    { json: '{"a":"\u00a0"}', members: { a: '"\u00a0"' } },
    {
      json: '[1.0, "two,]", [3,4], {"a":[5]}]',
      members: { 0: "1.0", 1: '"two,]"', 2: "[3,4]", 3: '{"a":[5]}' },
    },
  ])("of $json", ({ json, members }) => {
    const found = readMembers(json);
    expect(Object.fromEntries(found)).toEqual(members);
    const parsed = [...found].map(([name, text]) => [name, JSON.parse(text)]);
    expect(Object.fromEntries(parsed)).toEqual({ ...JSON.parse(json) });
  });

  it("keeps a member named __proto__, and the order in which they were written", () => {
    expect([...readMembers('{"z":1,"__proto__":{"a":1},"1":2}')]).toEqual([
      ["z", "1"],
      ["__proto__", '{"a":1}'],
      ["1", "2"],
    ]);
  });

  it("of long texts takes no stack", () => {
    const long = `"${'\\"x'.repeat(1_000_000)}"`;
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect([...readMembers(`{"long":${long},"deep":${deep}}`)]).toEqual([["long", long], ["deep", deep]]);
  });
});
