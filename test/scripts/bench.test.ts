/** The README's figures are those of the benchmark's page, and the bars judge what was measured. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { floorValue, judgeBars, quietValue } from "../../scripts/bench/bars.ts";
import { Results } from "../../scripts/bench/results.ts";
import { formatSummary } from "../../scripts/bench/summary.ts";

const read = (file: string) => readFile(join(import.meta.dirname, "../..", file), "utf8");

it("the README shows the figures of docs/benchmark.md", async () => {
  expect(await read("README.md")).toContain(
    `<!-- figures -->\n\n${formatSummary(await read("docs/benchmark.md"))}\n\n<!-- /figures -->`,
  );
});

describe("the summary", () => {
  it("has one row for each candidate that it shows", () => {
    const report = [
      "### 100 B answers, 32 connections",
      "",
      "| candidate | per second | CPU µs each | p50 ms | p99 ms | peak MB | ÷ | ÷ |",
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
      "| ours-bun | 26,007 | 38.4 | 1 | 2 | 3 | 1.82 | 0.56 |",
      "| ours-bun-quiet | 1 | 2 | 3 | 4 | 5 | 6 | 7 |",
      "",
      "### 512",
    ].join("\n");
    expect(formatSummary(report).split("\n").slice(2)).toEqual([
      "| **fetchvia** on Bun | 26,007 | 38.4 | 1.82 |",
    ]);
  });

  it("is none without figures", () =>
    expect(() => formatSummary("### Bars\n\nNone")).toThrow("Cannot sum up"));
});

describe("a bar", () => {
  const measure = (figures: Record<string, number>) => {
    const results = new Results();
    for (const [candidate, p99] of Object.entries(figures)) results.add("100B", candidate, 0, { p99 });
    const verdict = judgeBars(results).find(({ bar }) => bar.about.startsWith("bun: p99 of 100B"));
    const { bar } = verdict ?? {};
    return { ...verdict, quiet: bar && quietValue(bar, results), floor: bar && floorValue(bar, results) };
  };

  it.each([
    ["is met at its limit", { "ours-bun": 2, "hono-bun": 2 }, 1, true],
    ["takes the best of several peers", { "ours-bun": 3, "hono-bun": 4, "h3-bun": 2 }, 1.5, false],
    ["knows no peer of another runtime", { "ours-bun": 3, "hono-bun": 4, "hono-deno": 1 }, 0.75, true],
    ["has no value without a peer", { "ours-bun": 3 }, undefined, false],
  ])("%s", (_what, figures, value, isMet) => {
    expect(measure(figures)).toMatchObject({ isMet });
    expect(measure(figures).value).toBe(value);
  });

  it("tells the value of the proxy without a log", () =>
    expect(measure({ "ours-bun": 3, "ours-bun-quiet": 1, "hono-bun": 2 }).quiet).toBe(0.5));

  it("tells the value of the least that a proxy can do, where that is measured", () => {
    expect(measure({ "ours-bun": 3, "floor-bun": 1, "hono-bun": 4 }).floor).toBe(0.25);
    expect(measure({ "ours-bun": 3, "hono-bun": 4 }).floor).toBeUndefined();
  });
});

it("the CPU time of a process is told more finely than /proc does, which counts in 10 ms", async () => {
  const clock = new URL("../../scripts/bench/cpu-clock.ts", import.meta.url).href;
  const script = `
      const { readCpuMicros } = await import(${JSON.stringify(clock)});
      const before = readCpuMicros(process.pid);
      const own = process.cpuUsage();
      while (process.cpuUsage(own).user + process.cpuUsage(own).system < 4_000);
      console.log(readCpuMicros(process.pid) - before, readCpuMicros(2 ** 22 + 1));`;
  const { stdout } = await promisify(execFile)("node_modules/.bin/bun", ["-e", script]);
  const [micros, ofNobody] = stdout.split(" ").map(Number);
  expect(micros).toBeGreaterThan(3_900);
  expect(micros).toBeLessThan(9_000);
  expect(ofNobody).toBe(0);
});
