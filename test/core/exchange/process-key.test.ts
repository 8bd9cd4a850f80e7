/** Marks that only one proxy can make. @module */
import { expect, it } from "vitest";
import { ProcessKey } from "../../../src/core/exchange/process-key.ts";

const key = new ProcessKey("secret");

it("makes the same mark of the same facts", async () => {
  const mark = await key.mark("then", "a", "b");
  expect(mark).toMatch(/^[\w-]{22}$/);
  expect(await new ProcessKey("secret").mark("then", "a", "b")).toBe(mark);
});

it.each([
  { about: "another key", other: () => new ProcessKey("other").mark("then", "a", "b") },
  { about: "another purpose", other: () => key.mark("confirm", "a", "b") },
  { about: "another fact", other: () => key.mark("then", "a", "c") },
  { about: "facts that are cut elsewhere", other: () => key.mark("then", "ab", "") },
  { about: "fewer facts", other: () => key.mark("then", "a") },
])("makes another one for $about", async ({ other }) => {
  expect(await other()).not.toBe(await key.mark("then", "a", "b"));
});
