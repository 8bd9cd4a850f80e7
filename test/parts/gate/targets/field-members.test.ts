import { describe, expect, it } from "vitest";
import { faultOf, tableOf } from "../../../support/table.ts";

/** What the one entry says. */
function entryOf(members: Record<string, unknown>) {
  return tableOf({ "a.test": members }).entries[0];
}

describe("members about fields", () => {
  it("sets fields and parameters, with keys filled in", () => {
    const { set, setQuery } = entryOf({
      set: { "X-Key": "a {{KEY}} b", "?k": "{{OTHER}}", "x-plain": "{{}}" },
    })!;
    expect(set).toEqual([
      { name: "x-key", written: "X-Key", value: "a k3y/+ secret b", keys: ["KEY"] },
      { name: "x-plain", written: "x-plain", value: "{{}}", keys: [] },
    ]);
    expect(setQuery).toEqual([{ name: "k", written: "?k", value: "other-secret", keys: ["OTHER"] }]);
  });

  it("removes, and changes answers", () =>
    expect(
      entryOf({ remove: ["X-A"], answerSet: { "X-B": "{{KEY}}" }, answerRemove: ["x-c"], keys: ["KEY"] }),
    )
      .toMatchObject({
        remove: ["x-a"],
        answerSet: [{ name: "x-b", value: "{{KEY}}", keys: [] }],
        answerRemove: ["x-c"],
        keys: ["KEY"],
      }));

  it.each([
    [{ set: "x" }, /has a bad set, expected an object/],
    [{ set: { host: "x" } }, /bad set\.host, expected a field that/],
    [{ set: { "x-a": 1 } }, /bad set\.x-a, expected text on one line/],
    [{ set: { "x-a": "a\r\nb" } }, /bad set\.x-a/],
    [{ set: { "x-a": "1", "X-A": "2" } }, /bad set\.X-A, expected each name once/],
    [{ set: { "?a&b": "1" } }, /bad set\.…, expected a parameter/],
    [{ set: { x: "{{NONE}}" } }, /needs a key: NONE is not set/],
    [{ answerSet: { "content-length": "1" } }, /bad answerSet\.content-length/],
    [{ answerSet: { "?a": "1" } }, /has a bad answerSet,/],
    [{ remove: ["connection"] }, /bad remove\.connection/],
    [{ remove: "x" }, /has a bad remove, expected a list/],
    [{ answerRemove: ["proxy-status"] }, /bad answerRemove\.proxy-status/],
    [{ keys: ["NONE"] }, /needs a key: NONE/],
    [{ keys: ["a b"] }, /has a bad keys,/],
    [{ keys: [] }, /has a bad keys,/],
  ])("refuses %j", (members, fault) => expect(faultOf({ "a.test": members })).toMatch(fault));

  it.each(["*", "10.0.0.0/8", "*:443"])("holds no key for %s", (name) => {
    expect(faultOf({ [name]: { set: { x: "{{KEY}}" } } }))
      .toMatch(/holds a key, expected that only for one host/);
    expect(faultOf({ [name]: { keys: ["KEY"] } })).toMatch(/holds a key/);
  });

  it.each(["a.test", "*.a.test", "10.0.0.1:80", "[::1]"])("holds a key for %s", (name) => {
    expect(faultOf({ [name]: { set: { x: "{{KEY}}" }, keys: ["OTHER"] } })).toBeUndefined();
  });
});
