import { expect, it } from "vitest";
import { hasKeys } from "../../../src/settings/targets/entry.ts";
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
