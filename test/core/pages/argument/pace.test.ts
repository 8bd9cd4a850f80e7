/** When work makes way. @module */
import { expect, it, vi } from "vitest";
import { Pace, STRETCH_BYTES } from "../../../../src/core/pages/argument/pace.ts";

it.each([
  { works: [0], waits: [0] },
  { works: [STRETCH_BYTES - 1], waits: [0] },
  { works: [STRETCH_BYTES], waits: [1] },
  { works: [STRETCH_BYTES - 1, 1, 1], waits: [0, 1, 0] },
  { works: [STRETCH_BYTES, STRETCH_BYTES - 1, 1], waits: [1, 0, 1] },
  { works: [3 * STRETCH_BYTES, 1], waits: [3, 0] },
])("work on $works bytes waits $waits times", async ({ works, waits }) => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const pace = new Pace();
  const seen: number[] = [];
  for (const bytes of works) {
    timers.mockClear();
    await pace.work(bytes, () => {});
    seen.push(timers.mock.calls.length);
  }
  timers.mockRestore();
  expect(seen).toEqual(waits);
});

it.each([
  {
    bytes: STRETCH_BYTES + 1,
    stop: undefined,
    stretches: [[0, STRETCH_BYTES], [STRETCH_BYTES, STRETCH_BYTES + 1]],
  },
  { bytes: STRETCH_BYTES + 1, stop: false, stretches: [[0, STRETCH_BYTES]] },
  { bytes: 0, stop: undefined, stretches: [] },
])(
  "work on $bytes bytes, which says $stop, has the stretches $stretches",
  async ({ bytes, stop, stretches }) => {
    const seen: number[][] = [];
    await new Pace().work(bytes, (start, end) => {
      seen.push([start, end]);
      return stop;
    });
    expect(seen).toEqual(stretches);
  },
);

it("makes way for a task that waits already", async () => {
  const seen: string[] = [];
  setTimeout(() => seen.push("task"), 0);
  await new Pace().work(STRETCH_BYTES, () => {});
  seen.push("work");
  expect(seen).toEqual(["task", "work"]);
});
