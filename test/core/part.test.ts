/** A part that has nothing but rules, which are loaded late. @module */
import { expect, it, vi } from "vitest";
import { makeLatePart } from "../../src/core/part.ts";

it("has its rules once they are loaded, and loads them until that succeeds", async () => {
  const rules = { read: () => undefined };
  const load = vi.fn().mockRejectedValueOnce(new Error("the file is gone")).mockResolvedValue(rules);
  const part = makeLatePart("a", load);
  await expect(part.prepare?.()).rejects.toThrow("gone");
  expect([part.name, part.rules?.()]).toEqual(["a", undefined]);
  await part.prepare?.();
  await part.prepare?.();
  expect(part.rules?.()).toBe(rules);
  expect(load).toHaveBeenCalledTimes(2);
});
