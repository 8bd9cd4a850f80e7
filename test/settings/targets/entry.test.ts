import { expect, it } from "vitest";
import { listKeyFields } from "../../../src/settings/targets/entry.ts";
import { tableOf } from "../../support/table.ts";

it.each([
  [{ set: { a: "{{KEY}}" } }, ["KEY"]],
  [{ set: { "?a": "{{KEY}}", b: "{{OTHER}} {{KEY}}" } }, ["KEY", "OTHER", "KEY"]],
  [{ set: { a: "b" } }, []],
  [{ keys: ["KEY"] }, []],
  [{}, []],
])("knows the keys that requests carry by %j", (members, keys) => {
  expect(tableOf({ "a.test": members }).entries[0]?.ownKeys).toEqual(keys);
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
