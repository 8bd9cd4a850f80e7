/**
 * How often a target may close its connections, and how long none is kept then.
 * @module
 */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KnownTargets } from "../../../src/wire/client/pool.ts";

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  { closedAt: [0], at: 0, isSilent: false },
  { closedAt: [0, 0], at: 0, isSilent: true },
  { closedAt: [0, MINUTE_MS - 1], at: MINUTE_MS - 1, isSilent: true },
  { closedAt: [0, MINUTE_MS], at: MINUTE_MS, isSilent: false },
  { closedAt: [0, MINUTE_MS, MINUTE_MS + 1], at: MINUTE_MS + 1, isSilent: true },
  { closedAt: [0, 10], at: 5 * MINUTE_MS + 9, isSilent: true },
  { closedAt: [0, 10], at: 5 * MINUTE_MS + 10, isSilent: false },
  { closedAt: [0, 10, 4 * MINUTE_MS], at: 9 * MINUTE_MS - 1, isSilent: true },
  { closedAt: [0, 10, 5 * MINUTE_MS + 10], at: 5 * MINUTE_MS + 10, isSilent: false },
])("a target that has closed at $closedAt is silent at $at: $isSilent", ({ closedAt, at, isSilent }) => {
  const targets = new KnownTargets();
  let now = 0;
  const wait = (until: number) => {
    vi.advanceTimersByTime(until - now);
    now = until;
  };
  for (const time of closedAt) {
    wait(time);
    targets.addSilence("a");
  }
  wait(at);
  expect(targets.isSilent("a")).toBe(isSilent);
  expect([targets.isSilent("b"), targets.isOld("a")]).toEqual([false, false]);
});

it("knows a thousand targets, then begins anew", () => {
  const targets = new KnownTargets();
  for (let target = 0; target < 1_000; target += 1) targets.addSilence(String(target));
  targets.addSilence("0");
  expect(targets.isSilent("0")).toBe(true);
  targets.addSilence("another");
  expect(targets.isSilent("0")).toBe(false);
});
