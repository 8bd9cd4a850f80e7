/** README and page say what was measured, and the bars judge what was measured. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { floorValue, judgeBars, quietValue } from "../../scripts/bench/bars.ts";
import { Results } from "../../scripts/bench/results.ts";
import { shortenReport } from "../../scripts/bench/summary.ts";
import { formatReport } from "../../scripts/bench/table.ts";

const read = (file: string) => readFile(join(import.meta.dirname, "../..", file), "utf8");

it("the README says what docs/figures.md shows", async () => {
  const figures = await read("docs/figures.md");
  const bar = (name: string) => new RegExp(`^\\| ${name} +\\|[^|]+\\| +([\\d.]+)`, "m").exec(figures)?.[1];
  const over = (name: string) =>
    ["bun: CPU of - over hono-bun", "deno: CPU of - over bare-deno", "node: CPU of - over http-proxy-3"]
      .map((row) => bar(row.replace("-", name))).join(", ") + ` and ${bar(`bun: CPU of ${name} over nginx`)}`;
  expect((await read("README.md")).replace(/\s+/g, " ")).toContain(
    `of Hono's helper on Bun, of a bare relay on Deno, of http-proxy-3 on Node, and of nginx: ${
      over("100B")
    } (Bun) ` +
      `where headers repeat; ${over("fields")} where they differ.`,
  );
});

it("the page of the figures leaves variants, floors and doubles out", () => {
  const rows = [
    "ours-bun",
    "ours-bun-quiet",
    "ours-bun-keyed",
    "bare-deno",
    "hono-deno",
    "floor-node",
    "nginx",
  ];
  const report = ["### Case", "", "| candidate | per second |", ...rows.map((name) => `| ${name} | 1 |`)];
  expect(shortenReport(report.join("\n"))).toBe(
    "### Case\n\n| candidate | per second |\n| ours-bun | 1 |\n| ours-bun-keyed | 1 |\n| bare-deno | 1 |\n| nginx | 1 |",
  );
});

it("the report tells the spread of the rounds beside the median, where there are several", () => {
  const results = new Results();
  [1, 5, 2].forEach((p99, round) => results.add("100B", "ours-bun", round, { p99 }));
  results.add("100B", "nginx", 0, { p99: 4 });
  const report = formatReport([{ name: "100B", title: "A case", figures: ["p99"] }], results, []);
  expect(report).toMatch(/^\| ours-bun +\| 2\.00 \(1\.00–5\.00\) \|$/m);
  expect(report).toMatch(/^\| nginx +\| +4\.00 \|$/m);
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

  it("compares heads that differ with repeated ones", () => {
    const results = new Results();
    results.add("100B", "ours-node", 0, { cpu: 40 });
    results.add("fields", "ours-node", 0, { cpu: 52 });
    const verdict = judgeBars(results).find(({ bar }) => bar.about === "node: CPU of fields over 100B");
    expect(verdict).toMatchObject({ value: 1.3, isMet: false });
  });

  it("compares a key, by what it costs more in most turns, and the cookie with the header", () => {
    const results = new Results();
    [40, 80, 41].forEach((cpu, turn) => results.add("100B", "ours-bun", turn, { cpu }));
    [43, 83, 60].forEach((cpu, turn) => results.add("100B", "ours-bun-keyed", turn, { cpu }));
    results.add("100B", "ours-bun-cookie", 0, { cpu: 42 });
    const verdicts = judgeBars(results).filter(({ bar }) => bar.about.endsWith("over the header"));
    expect(
      verdicts.filter(({ bar }) => bar.about.startsWith("bun")).map(({ value, isMet }) => [value, isMet]),
    )
      .toEqual([[1.05, true], [3, false]]);
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
