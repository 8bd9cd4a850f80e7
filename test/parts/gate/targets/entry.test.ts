import { expect, it } from "vitest";
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
