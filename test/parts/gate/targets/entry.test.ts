import { expect, it } from "vitest";
import { listKeyFields } from "../../../../src/parts/gate/targets/entry.ts";
import { KEYS, tableOf } from "../../../support/table.ts";

it.each([
  [{ set: { a: "{{KEY}}" } }, ["KEY"]],
  [{ set: { "?a": "{{KEY}}", b: "{{OTHER}} {{KEY}}" } }, ["KEY", "OTHER"]],
  [{ set: { a: "b" } }, []],
  [{ keys: ["KEY"] }, []],
  [{}, []],
])("knows the keys that requests carry by %j", (members, keys) => {
  const values = keys.map((name) => [name, KEYS[name]] as const);
  expect(tableOf({ "a.test": members }).entries[0]?.ownKeys).toEqual(new Map(values));
});

it("lists the fields that it replaces with a key", () => {
  const set = {
    "X-Api-Key": "{{KEY}}",
    "authorization": "Bearer {{OTHER}}",
    "x-plain": "1",
    "?key": "{{KEY}}",
  };
  expect(listKeyFields(tableOf({ "a.test": { set } }).entries[0]!)).toEqual(["x-api-key", "authorization"]);
});
