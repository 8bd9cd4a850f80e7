/** How long a process waits for what is in flight, and what it counts then. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { drainWithin, stopAtSignals, tellOpen } from "../../../src/runtimes/process/drain.ts";
import { stderr } from "../../../src/runtimes/process/output.ts";
import { rowsOf } from "../../support/rows.ts";

const NEVER = new Promise<never>(() => {});
const LIMIT_MS = 20;

describe("draining", () => {
  it.each([
    { count: 2, lines: ["fetchvia: stopping, 2 in flight, 10 s at most"] },
    { count: 0, lines: [] },
  ])("says that $count are in flight: $lines", async ({ count, lines }) => {
    const push = vi.spyOn(stderr, "push").mockReturnValue();
    await tellOpen({ countOpen: () => Promise.resolve(count) });
    expect(push.mock.calls.flat()).toEqual(lines);
    push.mockRestore();
  });

  it.each(rowsOf(["about", "drain", "count", "cuts", "graceMs"], [
    ["everything is answered", () => Promise.resolve(), 0, 0],
    ["another process has cut some", () => Promise.resolve(3), 3, 0],
    ["another process cuts some at the same limit", () => sleep(3 * LIMIT_MS, 3), 3, 0, 60_000],
    ["it takes too long", () => NEVER, 2, 1],
  ]))("counts what was cut when $about", async ({ drain, graceMs = 0, count, cuts }) => {
    const cut = vi.fn(() => 2);
    expect(await drainWithin(LIMIT_MS, Promise.resolve({ drain, cut, graceMs }))).toBe(count);
    expect(cut).toHaveBeenCalledTimes(cuts);
  });

  it("does not wait longer for a listener that does not start", async () =>
    expect(await drainWithin(LIMIT_MS, NEVER)).toBe(0));

  it("leaves the failure of a start to the start", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const known = (["SIGTERM", "SIGINT"] as const).map((signal) =>
      [signal, process.listeners(signal)] as const
    );
    stopAtSignals(Promise.reject(new Error("in use")))();
    for (const [signal, listeners] of known) {
      const own = process.listeners(signal).filter((listener) => !listeners.includes(listener));
      for (const listener of own) process.off(signal, listener);
    }
    await new Promise(setImmediate);
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
