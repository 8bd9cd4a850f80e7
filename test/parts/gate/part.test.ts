/** The table of targets as a part. @module */
import { expect, it } from "vitest";
import { createGatePart } from "../../../src/parts/gate/part.ts";
import { tableOf } from "../../support/table.ts";

it("applies the table that is current, once it has loaded what that needs", async () => {
  const [first, second] = [tableOf({ "a.test": {} }), tableOf({ "b.test": {} })];
  let current = first;
  const part = createGatePart(() => current);
  await part.prepare?.();
  const rules = part.rules?.();
  current = second;
  expect(rules?.find?.(new URL("https://a.test"))).toBe(first.entries[0]);
  expect(part.rules?.()?.find?.(new URL("https://b.test"))).toBe(second.entries[0]);
});

it("does nothing without a table", async () => {
  const part = createGatePart(() => undefined);
  await part.prepare?.();
  expect(part.rules?.()).toBeUndefined();
});
