/**
 * The limits ("bars") that the proxy has to meet, as one table.
 * @module
 */
import type { Figure } from "./cases.ts";
import type { Reference, Results } from "./results.ts";
import { nameScaled, type Scale, SCALES } from "./scale.ts";

/** One bar: the upper limit of a figure, or of the ratio of two figures. */
export interface Bar {
  about: string;
  of: Reference;
  /** The divisor; of several, the one that makes the ratio largest. */
  over?: readonly Reference[];
  limit: number;
  /** `µs` is what it takes more than the divisor. */
  unit: "×" | "ms" | "µs" | "KB";
}

/** Whether a bar was met. */
export interface Verdict {
  bar: Bar;
  /** The measured value in the unit of the bar; `undefined` if it was not measured. */
  value?: number;
  isMet: boolean;
}

const RUNTIMES = ["bun", "deno", "node"] as const;
type Runtime = (typeof RUNTIMES)[number];

/** The peer with which CPU time is compared, and the allowed ratio to the peer's. */
const RIVALS: Readonly<Record<Runtime, readonly [peer: string, limit: number]>> = {
  bun: ["hono-bun", 1],
  deno: ["bare-deno", 1],
  node: ["http-proxy-3", 0.7],
};
/** Limits of cases that have their own. */
const OWN_LIMITS: Readonly<Record<string, Readonly<Record<Runtime, number>>>> = {
  fields: { bun: 0.8, deno: 0.7, node: 0.35 },
  streams: { bun: 1, deno: 1.5, node: 0.6 },
};
/** The peers that do the least that a proxy can do. */
const RELAYS: Readonly<Record<Runtime, string>> = {
  bun: "bare-bun",
  deno: "bare-deno",
  node: "http-proxy-3",
};
const SCRIPTED: Readonly<Record<Runtime, readonly string[]>> = {
  bun: ["bare-bun", "hono-bun", "h3-bun"],
  deno: ["bare-deno", "hono-deno", "h3-deno"],
  node: ["http-proxy-3", "fastify", "hono-node", "h3-node"],
};
const READY_MS: Readonly<Record<Runtime, number>> = { bun: 90, deno: 120, node: 120 };
const CPU: Readonly<Record<string, Figure>> = {
  "100B": "cpu",
  fields: "cpu",
  "512c": "cpu",
  "100KiB": "cpuPerMiB",
  "10MiB": "cpuPerMiB",
  upload: "cpuPerMiB",
  streams: "cpu",
  https: "cpu",
  "https-fresh": "cpu",
};
const LABELS: Readonly<Partial<Record<Figure, string>>> = {
  cpu: "CPU",
  cpuPerMiB: "CPU",
  p99: "p99",
  growth: "memory",
};

function compare(name: string, figure: Figure, runtime: Runtime, peer: string, limit: number): Bar {
  return {
    about: `${runtime}: ${LABELS[figure]} of ${name} over ${peer}`,
    of: { case: name, candidate: `ours-${runtime}`, figure },
    over: [{ case: name, candidate: peer, figure }],
    limit,
    unit: "×",
  };
}

/** Heads that never come again, over repeated ones. */
function compareVaried(runtime: Runtime): Bar {
  const of = { case: "fields", candidate: `ours-${runtime}`, figure: "cpu" } as const;
  return {
    about: `${runtime}: CPU of fields over 100B`,
    of,
    over: [{ ...of, case: "100B" }],
    limit: 1.25,
    unit: "×",
  };
}

function compareTail(name: string, runtime: Runtime): Bar {
  const figure = "p99";
  return {
    about: `${runtime}: p99 of ${name} over the best JavaScript peer`,
    of: { case: name, candidate: `ours-${runtime}`, figure },
    over: SCRIPTED[runtime].map((candidate) => ({ case: name, candidate, figure })),
    limit: 1,
    unit: "×",
  };
}

function limitStart(runtime: Runtime): Bar {
  return {
    about: `${runtime}: start to ready`,
    of: { case: "start", candidate: `ours-${runtime}`, figure: "ready" },
    limit: READY_MS[runtime],
    unit: "ms",
  };
}

/** The same target named in another way, or with a key, over the header alone. */
function compareWay(way: string, runtime: Runtime, limit: number, unit: Bar["unit"]): Bar {
  const of = { case: "100B", candidate: `ours-${runtime}-${way}`, figure: "cpu" } as const;
  return {
    about: `${runtime}: CPU of 100B by ${way} over the header`,
    of,
    over: [{ ...of, candidate: `ours-${runtime}` }],
    limit,
    unit,
  };
}

/** What a request takes at the largest size over what it takes at the smallest. */
function compareScale(scale: Scale, runtime: Runtime): Bar {
  const [first, last] = [SCALES[scale][0], SCALES[scale].at(-1)!];
  const of = { case: scale, candidate: nameScaled(runtime, scale, last), figure: "cpu" } as const;
  return {
    about: `${runtime}: CPU with ${last} ${scale} over ${first}`,
    of,
    over: [{ ...of, candidate: nameScaled(runtime, scale, first) }],
    limit: 1.1,
    unit: "×",
  };
}

/** All bars, in the order of the report. */
const BARS: readonly Bar[] = [
  ...Object.entries(CPU).flatMap(([name, figure]) =>
    RUNTIMES.map((runtime) => {
      const [peer, limit] = RIVALS[runtime];
      return compare(name, figure, runtime, peer, OWN_LIMITS[name]?.[runtime] ?? limit);
    })
  ),
  ...["100B", "fields"].flatMap((name) =>
    RUNTIMES.map((runtime) => compare(name, "cpu", runtime, "nginx", runtime === "bun" ? 1.5 : 1.8))
  ),
  ...RUNTIMES.map((runtime) => compare("https-fresh", "cpu", runtime, "nginx", 1.3)),
  ...RUNTIMES.map((runtime) => compare("10MiB", "cpuPerMiB", runtime, "haproxy", 1)),
  ...RUNTIMES.map(compareVaried),
  ...RUNTIMES.map((runtime) => compareWay("cookie", runtime, 1.1, "×")),
  ...RUNTIMES.map((runtime) => compareWay("keyed", runtime, 2, "µs")),
  ...["100B", "fields"].flatMap((name) => RUNTIMES.map((runtime) => compareTail(name, runtime))),
  ...RUNTIMES.map((runtime) => compare("512c", "p99", runtime, "nginx", 2)),
  ...RUNTIMES.map((runtime) => compare("half", "p99", runtime, "nginx", 1.5)),
  ...["streams", "idle"].flatMap((name) =>
    RUNTIMES.map((runtime) => compare(name, "growth", runtime, RELAYS[runtime], 1.2))
  ),
  ...(Object.keys(SCALES) as Scale[]).flatMap((scale) =>
    RUNTIMES.map((runtime) => compareScale(scale, runtime))
  ),
  ...RUNTIMES.map(limitStart),
  {
    about: "core, minified, without console and packages",
    of: { case: "core", candidate: "own code", figure: "size" },
    limit: 64,
    unit: "KB",
  },
];

const SCALE: Readonly<Record<Bar["unit"], number>> = { "×": 1, ms: 1, µs: 1, KB: 1000 };

/** Judges all bars. */
export function judgeBars(results: Results): Verdict[] {
  return BARS.map((bar) => {
    const value = measureBar(bar, results);
    return { bar, isMet: value !== undefined && value <= bar.limit, ...(value !== undefined && { value }) };
  });
}

/** The value of a bar for the proxy without a log; `undefined` if it was not measured. */
export function quietValue(bar: Bar, results: Results): number | undefined {
  const { of } = bar;
  if (!of.candidate.startsWith("ours-")) return measureBar(bar, results);
  return measureBar({ ...bar, of: { ...of, candidate: `${of.candidate}-quiet` } }, results);
}

/** The value of a bar for the least that a proxy on this runtime can do; `undefined` if it was not measured. */
export function floorValue(bar: Bar, results: Results): number | undefined {
  const { of } = bar;
  if (!of.candidate.startsWith("ours-")) return undefined;
  return measureBar({ ...bar, of: { ...of, candidate: of.candidate.replace("ours-", "floor-") } }, results);
}

function measureBar({ of, over, unit }: Bar, results: Results): number | undefined {
  if (!over) {
    const value = results.value(of);
    return value === undefined ? undefined : value / SCALE[unit];
  }
  const ratios = over.map((peer) => unit === "µs" ? results.difference(of, peer) : results.ratio(of, peer))
    .filter((ratio) => ratio !== undefined);
  return ratios.length > 0 ? Math.max(...ratios) : undefined;
}
