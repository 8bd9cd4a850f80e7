/**
 * The cases that are measured: each takes one sample of one candidate, on a process of its own.
 * @module
 */
import { IDLE_CONNECTIONS } from "./idle.ts";
import type { Load } from "./load.ts";
import { RATE_CONNECTIONS } from "./open-loop.ts";
import type { Candidate } from "./peers.ts";
import {
  type Launched,
  type Requests,
  sampleIdle,
  sampleRate,
  sampleRequests,
  sampleStart,
  sampleStreams,
} from "./samples.ts";
import { SCALE_TITLES } from "./scale.ts";
import { FILES, type Target, UPLOAD_PATH } from "./targets.ts";

const UPLOAD_BYTES = 1024 * 1024;

/** A measured quantity. Times in µs (`cpu`, `cpuPerMiB`) or ms, sizes in bytes. */
export type Figure =
  | "perSecond"
  | "cpu"
  | "cpuPerMiB"
  | "p50"
  | "p99"
  | "p999"
  | "peak"
  | "growth"
  | "ready"
  | "size";

/** The figures of one run. */
export type Sample = Partial<Record<Figure, number>>;

/** The surroundings of a case. */
export interface Setting {
  target: Target;
  folder: string;
  load: Load;
  seconds: number;
  /** Seconds of CPU time that a process uses before it is measured. */
  warmSeconds: number;
  /** Requests per second of the case with a fixed rate. */
  rate: number;
  /** With `--together`: the processes of all candidates, by name and target, for all cases of a round. */
  kept: Map<string, Launched> | undefined;
}

/** One case. */
export interface Case {
  name: string;
  title: string;
  figures: readonly Figure[];
  suits(candidate: Candidate): boolean;
  /** True if candidates can take turns of some seconds: what a connection costs does not count. */
  hasTurns?: boolean;
  /** @throws {Error} if the candidate fails at the job */
  sample(candidate: Candidate, setting: Setting): Promise<Sample>;
}

const SMALL = { way: "plain", path: "/100B.json", bytes: FILES["/100B.json"], connections: 32 } as const;
const SMALL_FIGURES = ["perSecond", "cpu", "p50", "p99", "peak"] as const;
const LARGE_FIGURES = ["perSecond", "cpuPerMiB", "p50", "p99", "peak"] as const;
const isEverywhere = ({ variant = "default" }: Candidate) => variant === "default" || variant === "quiet";
const isSmallOnly = ({ variant }: Candidate) =>
  variant === "cookie" || variant === "table" || variant === "keyed";
/** Floors can't open a connection for each request. */
const isProxy = (candidate: Candidate) => !candidate.isFloor && isEverywhere(candidate);

/** All cases of candidates, in the order of the report. */
export const CASES: readonly Case[] = [
  {
    ...smallCase("100B", "100 B answers, 32 connections", SMALL),
    suits: (candidate) => isEverywhere(candidate) || isSmallOnly(candidate),
    hasTurns: true,
  },
  varied("path", "path and query differ in each request", isEverywhere),
  varied(
    "fields",
    "path, cookie, X-Request-Id and traceparent differ in each request",
    (candidate) => isEverywhere(candidate) || candidate.variant === "keyed",
  ),
  smallCase("512c", "100 B answers, 512 connections", { ...SMALL, connections: 512 }),
  requestCase("100KiB", "100 KiB answers, 32 connections", {
    way: "plain",
    path: "/100KiB.bin",
    bytes: FILES["/100KiB.bin"],
    connections: 32,
  }),
  requestCase("10MiB", "10 MiB answers, 8 connections", {
    way: "plain",
    path: "/10MiB.bin",
    bytes: FILES["/10MiB.bin"],
    connections: 8,
  }),
  requestCase("upload", "1 MiB uploads, 8 connections", {
    way: "plain",
    path: UPLOAD_PATH,
    bytes: UPLOAD_BYTES,
    connections: 8,
    isUpload: true,
  }),
  smallCase("https", "100 B answers by https, 32 connections", { ...SMALL, way: "tls" }),
  smallCase("https-fresh", "100 B answers by https, a new connection to the target for each", {
    ...SMALL,
    way: "fresh",
  }),
  {
    name: "half",
    title: `100 B answers at a fixed rate, ${RATE_CONNECTIONS} connections`,
    figures: ["perSecond", "cpu", "p50", "p99", "p999", "peak"],
    suits: isEverywhere,
    sample: (candidate, setting) => sampleRate(candidate, SMALL, setting),
  },
  {
    name: "streams",
    title: "1,000 open event streams, an event per second on each",
    figures: ["perSecond", "cpu", "p50", "p99", "peak", "growth"],
    suits: isEverywhere,
    sample: sampleStreams,
  },
  {
    name: "idle",
    title: `${count(IDLE_CONNECTIONS)} idle connections, after one answer on each`,
    figures: ["growth", "peak"],
    suits: isEverywhere,
    sample: (candidate, setting) => sampleIdle(candidate, SMALL, setting),
  },
  {
    name: "start",
    title: "Start to ready",
    figures: ["ready"],
    suits: ({ variant = "default", isFloor }) => (variant === "default" || variant === "source") && !isFloor,
    sample: (candidate, setting) => sampleStart(candidate, SMALL, setting),
  },
  ...Object.entries(SCALE_TITLES).map(([name, title]) => ({
    ...varied("fields", title, ({ variant }) => variant === name),
    name,
  })),
];

function requestCase(name: string, title: string, requests: Requests): Case {
  return {
    name,
    title,
    figures: LARGE_FIGURES,
    suits: requests.way === "fresh" ? isProxy : isEverywhere,
    sample: (candidate, setting) => sampleRequests(candidate, requests, setting),
  };
}

/** The case of small answers with heads that never come again. */
function varied(varies: "path" | "fields", title: string, suits: Case["suits"]): Case {
  const about = `100 B answers, 32 connections, ${title}`;
  return { ...smallCase(varies, about, { ...SMALL, path: "/any", varies }), suits, hasTurns: true };
}

/** A case with small bodies: CPU time counts per request, not per MiB. */
function smallCase(name: string, title: string, requests: Requests): Case {
  return { ...requestCase(name, title, requests), figures: SMALL_FIGURES };
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
