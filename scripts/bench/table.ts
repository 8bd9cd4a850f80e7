/**
 * The report: Markdown that is readable in a terminal too.
 * @module
 */
import { floorValue, judgeBars, quietValue } from "./bars.ts";
import type { Figure } from "./cases.ts";
import type { Results } from "./results.ts";

/** The candidate with which the others are compared. */
const BASE = "nginx";
/** Figures for the ratios of a case: no rate, because the load generator limits that of nginx. */
const COMPARED: readonly Figure[] = ["cpuPerMiB", "cpu"];

const count = (value: number) => Math.round(value).toLocaleString("en-US");
const short = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
const megabytes = (value: number) => (value / 1e6).toFixed(value < 1e7 ? 1 : 0);
const kilobytes = (value: number) => (value / 1e3).toFixed(1);

const COLUMNS: Readonly<Record<Figure, { title: string; format(value: number): string }>> = {
  perSecond: { title: "per second", format: count },
  cpu: { title: "CPU µs each", format: short },
  cpuPerMiB: { title: "CPU µs per MiB", format: count },
  p50: { title: "p50 ms", format: short },
  p99: { title: "p99 ms", format: short },
  p999: { title: "p99.9 ms", format: short },
  peak: { title: "peak MB", format: megabytes },
  growth: { title: "above idle MB", format: megabytes },
  ready: { title: "ms", format: short },
  size: { title: "KB", format: kilobytes },
};

/** The facts about a case that its table needs. */
export interface Section {
  name: string;
  title: string;
  figures: readonly Figure[];
}

/** The whole report. */
export function formatReport(
  sections: readonly Section[],
  results: Results,
  facts: readonly string[],
): string {
  const parts = sections.filter(({ name }) => results.candidates(name).length > 0);
  const failures = results.failures.map((failure) =>
    `- ${failure.candidate}, ${failure.case}: ${failure.reason.split("\n")[0]}`
  );
  return [
    facts.join("\n"),
    "### Bars",
    formatBars(results),
    ...parts.flatMap((section) => [`### ${section.title}`, formatSection(section, results)]),
    ...failures.length > 0 ? ["### Not measured", failures.join("\n")] : [],
  ].join("\n\n");
}

function formatBars(results: Results): string {
  const rows = judgeBars(results).filter(({ value }) => value !== undefined).map(({ bar, value, isMet }) => [
    bar.about,
    `≤ ${bar.limit} ${bar.unit}`,
    short(value ?? 0),
    isMet ? "ok" : "miss",
    formatMaybe(quietValue(bar, results)),
    formatMaybe(floorValue(bar, results)),
  ]);
  if (rows.length === 0) return "None of the bars was measured.";
  return formatTable(["bar", "wanted", "measured", "", "with LOG=off", "floor"], rows);
}

function formatSection({ name, figures }: Section, results: Results): string {
  const names = results.candidates(name);
  const compared = names.includes(BASE) ? COMPARED.filter((figure) => figures.includes(figure)) : [];
  const titles = compared.map((figure) => `${COLUMNS[figure].title} ÷ ${BASE}`);
  const rows = names.map((candidate) => [
    candidate,
    ...figures.map((figure) => {
      const of = { case: name, candidate, figure };
      const [value, spread] = [results.value(of), results.spread(of)?.map(COLUMNS[figure].format)];
      if (value === undefined) return "–";
      return COLUMNS[figure].format(value) + (spread ? ` (${spread.join("–")})` : "");
    }),
    ...compared.map((figure) =>
      formatMaybe(
        results.ratio({ case: name, candidate, figure }, { case: name, candidate: BASE, figure }),
      )
    ),
  ]);
  return formatTable(["candidate", ...figures.map((figure) => COLUMNS[figure].title), ...titles], rows);
}

function formatMaybe(value: number | undefined): string {
  return value === undefined ? "–" : short(value);
}

/** The first column is text, the others are aligned to the right. */
function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    `| ${
      cells.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
      ).join(" | ")
    } |`;
  const rule = widths.map((width, column) => column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`);
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
