/** What the charts of live traffic show. @module */
import { describe, expect, it } from "vitest";
import { countEntries, dropOld, layColumns, readFigures } from "../../../src/console/traffic/pulse.ts";
import { barPaths, latencyPaths } from "../../../src/console/traffic/charts.ts";
import type { CountColumn } from "../../../src/parts/console/traffic-message.ts";
import { entryOf } from "./entries.ts";

const NOW = 1_000_000_500;
const LAST = 1_000_000;

function countsOf(...columns: CountColumn[]): Map<number, CountColumn> {
  return new Map(columns.map((column) => [column[0], column]));
}

describe("the columns", () => {
  it("are those of the server, and empty where it counted nothing", () => {
    const columns = layColumns(countsOf([LAST, 3, 1, 30, 10, 15], [LAST - 300, 9, 9, 9, 9, 9]), NOW);
    expect(columns).toHaveLength(60);
    expect(columns.at(-1))
      .toEqual({ startSecond: LAST, count: 3, failed: 1, bytes: 30, median: 10, slowest: 15 });
    expect(columns.filter(({ count }) => count > 0)).toHaveLength(1);
    expect(columns[0]).toEqual({ startSecond: LAST - 118, count: 0, failed: 0, bytes: 0 });
  });

  it("of single requests are the same", () => {
    const end = LAST * 1_000;
    const entries = [5, 15, 10].map((headMs) =>
      entryOf({ time: end - 50, totalMs: 50, headMs, bytesOut: 10 })
    );
    const failed = entryOf({ time: end - 3_000, totalMs: 1_500, headMs: 7, status: 502 });
    const [before, last] = countEntries([...entries, failed], NOW).slice(-2);
    expect(last).toEqual({ startSecond: LAST, count: 3, failed: 0, bytes: 30, median: 10, slowest: 15 });
    expect(before)
      .toEqual({ startSecond: LAST - 2, count: 1, failed: 1, bytes: 1_500, median: 7, slowest: 7 });
    expect(countEntries([entryOf({ time: 5 }), entryOf({ time: NOW + 60_000 })], NOW))
      .toEqual(layColumns(new Map(), NOW));
  });

  it("that are too old are dropped", () => {
    const counts = countsOf([LAST - 118, 1, 0, 0, 0, 0], [LAST - 120, 1, 0, 0, 0, 0]);
    dropOld(counts, NOW);
    expect([...counts.keys()]).toEqual([LAST - 118]);
  });
});

describe("the figures", () => {
  it("have the rate of the last full column, not the average of two minutes (defect 24)", () => {
    const counts = countsOf(
      [LAST, 900, 0, 0, 1, 1],
      [LAST - 2, 37, 2, 370, 12, 90],
      [LAST - 40, 500, 0, 5_000, 3, 400],
    );
    expect(readFigures(layColumns(counts, NOW)))
      .toEqual({ rate: 18.5, median: 12, count: 1_437, failed: 2, bytes: 5_370, peak: 450, slowest: 400 });
  });

  it("are none where nothing came, not 0.0", () => {
    expect(readFigures(layColumns(countsOf([LAST - 40, 5, 0, 5, 3, 4]), NOW)))
      .toMatchObject({ rate: 0, peak: 2.5 });
    expect(readFigures(layColumns(new Map(), NOW)))
      .toEqual({ rate: 0, count: 0, failed: 0, bytes: 0, peak: 0 });
  });
});

describe("the pictures", () => {
  const columns = layColumns(
    countsOf([LAST - 8, 1, 0, 0, 5, 10], [LAST - 6, 1, 0, 0, 5, 10], [LAST, 4, 2, 0, 10, 10]),
    NOW,
  );

  it("leave a gap where nothing came (defect 24)", () => {
    expect(latencyPaths(columns)["curve"]?.match(/[ML]/g)?.join("")).toBe("MLM");
    expect(latencyPaths(columns)["dot"]?.match(/M/g)).toHaveLength(3);
    expect(latencyPaths(columns)["stem"]?.match(/M/g)).toHaveLength(3);
  });

  it("have a bar for each column with requests, as high as they are many", () => {
    expect(barPaths(columns)["beam"])
      .toBe("M551 80v-19h8v19zM561 80v-19h8v19zM591 80v-76h8v76z");
    expect(barPaths(columns)["beam failed"]).toBe("M591 80v-38h8v38z");
  });
});
