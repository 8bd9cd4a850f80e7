/** How long a process waits for what is in flight, and what it counts then. */
import { describe, expect, it, vi } from "vitest";
import { drainWithin } from "../../../src/runtimes/process/drain.ts";

const NEVER = new Promise<never>(() => {});
const LIMIT_MS = 20;

describe("draining", () => {
  it.each([
    { about: "everything is answered", drain: () => Promise.resolve(), count: 0, cuts: 0 },
    { about: "another process has cut some", drain: () => Promise.resolve(3), count: 3, cuts: 0 },
    { about: "it takes too long", drain: () => NEVER, count: 2, cuts: 1 },
  ])("counts what was cut when $about", async ({ drain, count, cuts }) => {
    const cut = vi.fn(() => 2);
    expect(await drainWithin(LIMIT_MS, Promise.resolve({ drain, cut }))).toBe(count);
    expect(cut).toHaveBeenCalledTimes(cuts);
  });

  it("does not wait longer for a listener that does not start", async () =>
    expect(await drainWithin(LIMIT_MS, NEVER)).toBe(0));
});
