import { expect, it } from "vitest";
import { hasKeys, listKeyFields } from "../../../src/settings/targets/entry.ts";
import { tableOf } from "../../support/table.ts";

it.each([
  [{ set: { a: "{{KEY}}" } }, true],
  [{ set: { "?a": "{{KEY}}" } }, true],
  [{ set: { a: "b" } }, false],
  [{ keys: ["KEY"] }, false],
  [{}, false],
])("knows whether %j carries a key of its own: %s", (members, is) => {
  expect(hasKeys(tableOf({ "a.test": members }).entries[0]!)).toBe(is);
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
