/** Live traffic: the server's own counters. @module */
import { describe, expect, it } from "vitest";
import { columnOf, COLUMNS, currentColumns } from "../../../src/parts/console/traffic-counts.ts";
import { sumColumn, TrafficCounts } from "../../../src/parts/console/traffic-counts.ts";

const NOW = 1_000_000_000_000;
const INDEX = columnOf(NOW);

/** Counters with requests that took so long. */
function countsOf(times: readonly number[], endMs = NOW): TrafficCounts {
  const counts = new TrafficCounts();
  for (const ms of times) counts.add(endMs, false, 10, ms);
  return counts;
}

describe("counters", () => {
  it("count requests, failures and bytes by the second in which they ended", () => {
    const counts = new TrafficCounts();
    counts.add(NOW, false, 5, 1);
    counts.add(NOW + 1_999, true, 6, 30);
    counts.add(NOW + 2_000, false, 7, 2);
    expect(sumColumn([counts], INDEX)).toEqual([1_000_000_000, 2, 1, 11, expect.closeTo(30, -1), 30]);
    expect(sumColumn([counts], INDEX + 1)).toEqual([1_000_000_002, 1, 0, 7, 2, 2]);
    expect(sumColumn([counts], INDEX + 2)).toEqual([1_000_000_004, 0, 0, 0, 0, 0]);
  });

  it("sum several processes", () => {
    const sum = sumColumn([countsOf([1, 1, 1]), countsOf([100, 100]), countsOf([])], INDEX);
    expect(sum.slice(1)).toEqual([5, 0, 50, expect.closeTo(1, 1), 100]);
  });

  it.each([
    { times: [0] },
    { times: [0.1] },
    { times: [0.3] },
    { times: [1, 2, 3] },
    { times: [40, 50, 60, 70] },
    { times: Array.from({ length: 999 }, (_, index) => index + 1) },
    { times: [30_000, 60_000, 90_000] },
  ])("find the median of $times.length requests within 5 %", ({ times }) => {
    const [, , , , median = NaN, slowest = NaN] = sumColumn([countsOf(times)], INDEX);
    const exact = times[Math.floor(times.length / 2)]!;
    expect(Math.abs(median - exact)).toBeLessThanOrEqual(exact * 0.05 + 0.05);
    expect(slowest).toBe(times.at(-1));
  });

  it.each([{ ms: 1e9 }, { ms: 99_999 }, { ms: NaN }, { ms: -1 }])("take $ms ms, too", ({ ms }) => {
    expect(sumColumn([countsOf([ms])], INDEX)[1]).toBe(1);
  });

  it("forget what is older than the charts", () => {
    const counts = countsOf([1]);
    counts.add(NOW + COLUMNS * 2_000, false, 1, 1);
    expect([counts.countOf(INDEX), counts.countOf(INDEX + COLUMNS)]).toEqual([0, 1]);
  });

  it("go on after a clock was set back", () => {
    const counts = countsOf([1]);
    counts.add(NOW - 3_600_000, false, 1, 1);
    expect(counts.countOf(columnOf(NOW - 3_600_000))).toBe(1);
  });

  it("travel as plain data, and replace what was told before", () => {
    const counts = countsOf([1, 2, 300]);
    const copy = new TrafficCounts();
    const tell = () => copy.put(structuredClone(counts.read(INDEX)!));
    tell();
    counts.add(NOW, true, 10, 4_000);
    tell();
    expect(sumColumn([copy], INDEX)).toEqual(sumColumn([counts], INDEX));
    expect(counts.read(INDEX + 1)).toBeUndefined();
  });
});

it("currentColumns ends with the column of now", () => {
  const columns = currentColumns(NOW);
  expect([columns.length, columns.at(-1), columns[0]]).toEqual([COLUMNS, INDEX, INDEX - COLUMNS + 1]);
});
