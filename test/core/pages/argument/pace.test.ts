/** When work makes way. @module */
import { expect, it } from "vitest";
import { Pace, STRETCH_BYTES } from "../../../../src/core/pages/argument/pace.ts";

it.each([
  { counts: [0], waits: [false] },
  { counts: [STRETCH_BYTES - 1], waits: [false] },
  { counts: [STRETCH_BYTES], waits: [true] },
  { counts: [STRETCH_BYTES - 1, 1, 1], waits: [false, true, false] },
  { counts: [STRETCH_BYTES, STRETCH_BYTES - 1, 1], waits: [true, false, true] },
  { counts: [3 * STRETCH_BYTES, 1], waits: [true, false] },
])("work of $counts waits: $waits", ({ counts, waits }) => {
  const pace = new Pace();
  expect(counts.map((bytes) => pace.count(bytes) !== undefined)).toEqual(waits);
});

it("makes way for a task that waits already", async () => {
  const seen: string[] = [];
  setTimeout(() => seen.push("task"), 0);
  await new Pace().count(STRETCH_BYTES);
  seen.push("work");
  expect(seen).toEqual(["task", "work"]);
});
