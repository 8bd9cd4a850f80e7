/**
 * The bars that the proxy has to clear, as one table.
 * @module
 */
import type { Figure } from "./cases.ts";
import type { Reference, Results } from "./results.ts";

/** One bar: a figure, or the ratio of two, and its limit. */
export interface Bar {
  about: string;
  of: Reference;
  over?: Reference;
  /** At least (`>=`) or at most (`<=`) that much. */
  sign: "≥" | "≤";
  limit: number;
  unit: "×" | "ms" | "MB" | "KB";
}

/** How a bar was met. */
export interface Verdict {
  bar: Bar;
  /** In the unit of the bar; `undefined` when it was not measured. */
  value?: number;
  isMet: boolean;
}

const MB = 1e6;
const RUNTIMES = ["bun", "deno", "node"] as const;
const PEER = "http-proxy-3";

const refer = (name: string, candidate: string, figure: Figure): Reference => ({
  case: name,
  candidate,
  figure,
});

function compareSmall(
  runtime: typeof RUNTIMES[number],
  figure: "perSecond" | "cpu",
  peer: string,
  limit: number,
): Bar {
  const what = figure === "cpu" ? "CPU per request" : "throughput";
  return {
    about: `${runtime}: ${what} over ${peer}`,
    of: refer("100B", `ours-${runtime}`, figure),
    over: refer("100B", peer, figure),
    sign: figure === "cpu" ? "≤" : "≥",
    limit,
    unit: "×",
  };
}

function compareLarge(name: string, runtime: string): Bar {
  return {
    about: `${runtime}: CPU per byte of ${name} over ${PEER}`,
    of: refer(name, `ours-${runtime}`, "cpuPerMiB"),
    over: refer(name, PEER, "cpuPerMiB"),
    sign: "≤",
    limit: 1,
    unit: "×",
  };
}

function compareConnections(runtime: string): Bar {
  return {
    about: `${runtime}: CPU per request at 512 connections over 32`,
    of: refer("512c", `ours-${runtime}`, "cpu"),
    over: refer("100B", `ours-${runtime}`, "cpu"),
    sign: "≤",
    limit: 1.15,
    unit: "×",
  };
}

/** All bars, in the order of the report. */
export const BARS: readonly Bar[] = [
  compareSmall("bun", "perSecond", PEER, 1.7),
  compareSmall("bun", "cpu", "bare-bun", 1.25),
  compareSmall("node", "perSecond", PEER, 1.1),
  compareSmall("node", "perSecond", "fastify", 1.1),
  compareSmall("node", "cpu", PEER, 0.9),
  compareSmall("node", "cpu", "fastify", 0.9),
  compareSmall("deno", "perSecond", PEER, 1.1),
  compareSmall("deno", "cpu", "bare-deno", 1.2),
  ...["100KiB", "10MiB", "upload"].flatMap((name) => RUNTIMES.map((runtime) => compareLarge(name, runtime))),
  ...RUNTIMES.map(compareConnections),
  {
    about: "bun: memory of 1,000 streams above idle",
    of: refer("streams", "ours-bun", "growth"),
    sign: "≤",
    limit: 40,
    unit: "MB",
  },
  {
    about: "bun: start to ready",
    of: refer("start", "ours-bun", "ready"),
    sign: "≤",
    limit: 150,
    unit: "ms",
  },
  {
    about: "core, minified, without console and packages",
    of: refer("core", "own code", "size"),
    sign: "≤",
    limit: 40,
    unit: "KB",
  },
];

const SCALE: Readonly<Record<Bar["unit"], number>> = { "×": 1, ms: 1, MB, KB: 1000 };

/** Judges all bars. */
export function judgeBars(results: Results): Verdict[] {
  return BARS.map((bar) => {
    const raw = bar.over ? results.ratio(bar.of, bar.over) : results.value(bar.of);
    const value = raw === undefined ? undefined : raw / SCALE[bar.unit];
    const isMet = value !== undefined && (bar.sign === "≥" ? value >= bar.limit : value <= bar.limit);
    return { bar, isMet, ...(value !== undefined && { value }) };
  });
}

/** The same bar for the proxy that writes no log; `undefined` for bars where that says nothing. */
export function quietValue(bar: Bar, results: Results): number | undefined {
  const quieten = (of: Reference) =>
    of.candidate.startsWith("ours-") ? { ...of, candidate: `${of.candidate}-quiet` } : of;
  const value = bar.over ? results.ratio(quieten(bar.of), quieten(bar.over)) : results.value(quieten(bar.of));
  return value === undefined ? undefined : value / SCALE[bar.unit];
}
