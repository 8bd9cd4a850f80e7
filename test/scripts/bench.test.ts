/**
 * The README's figures are those of the benchmark's page.
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatSummary } from "../../scripts/bench/summary.ts";

const read = (file: string) => readFile(join(import.meta.dirname, "../..", file), "utf8");

describe("the README", () => {
  it("shows the figures of docs/benchmark.md", async () => {
    expect(await read("README.md")).toContain(
      `<!-- figures -->\n\n${formatSummary(await read("docs/benchmark.md"))}\n\n<!-- /figures -->`,
    );
  });
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

  it("is none without figures", () => {
    expect(() => formatSummary("### Bars\n\nNone")).toThrow("Cannot sum up");
  });
});
