/**
 * What is measured: each case takes one sample of one candidate, on a process of its own.
 * @module
 */
import type { Job, Load } from "./load.ts";
import { readUsage } from "./measure.ts";
import type { Candidate } from "./peers.ts";
import { findPort, PROXY_CORE, type Running, start, waitUntilReady } from "./processes.ts";
import { requestOnce } from "./raw-client.ts";
import { measureStreams, startEventTarget } from "./streams.ts";
import { FILES, UPLOAD_PATH } from "./targets.ts";

const MIB = 1024 * 1024;
const UPLOAD_BYTES = MIB;
const HEALTH_PATH = "/__proxy__/health";
/** A process is warm when it has had that much CPU time, in µs, or after so many seconds. */
const WARM_MICROS = 0.8e6;
const WARM_RUNS = 5;
/** Streams do little per second, so they are watched for longer: the clock of /proc ticks every 10 ms. */
const STREAM_SHARE = 3;
/** CPU time goes on for a moment after the last answer, in milliseconds. */
const SETTLE_MS = 50;

/** One thing that is measured. Times in µs (`cpu`, `cpuPerMiB`) or ms, sizes in bytes. */
export type Figure =
  | "perSecond"
  | "cpu"
  | "cpuPerMiB"
  | "p50"
  | "p99"
  | "peak"
  | "growth"
  | "ready"
  | "size";

/** The figures of one run. */
export type Sample = Partial<Record<Figure, number>>;

/** What a case needs to know. */
export interface Setting {
  targetPort: number;
  folder: string;
  load: Load;
  seconds: number;
}

/** One case. */
export interface Case {
  name: string;
  title: string;
  figures: readonly Figure[];
  suits(candidate: Candidate): boolean;
  /** @throws {Error} when the candidate does not do the job */
  sample(candidate: Candidate, setting: Setting): Promise<Sample>;
}

interface Requests {
  path: string;
  connections: number;
  /** Bytes that go through per request. */
  bytes: number;
  isUpload?: boolean;
}

const SMALL = { path: "/100B.json", bytes: FILES["/100B.json"] };
const SMALL_FIGURES = ["perSecond", "cpu", "p50", "p99", "peak"] as const;
const LARGE_FIGURES = ["perSecond", "cpuPerMiB", "p50", "p99", "peak"] as const;
const isEverywhere = ({ variant = "default" }: Candidate) => variant === "default" || variant === "quiet";

/** All cases of candidates, in the order of the report. */
export const CASES: readonly Case[] = [
  {
    ...requestCase("100B", "100 B answers, 32 connections", { ...SMALL, connections: 32 }),
    figures: SMALL_FIGURES,
    suits: () => true,
  },
  {
    ...requestCase("512c", "100 B answers, 512 connections", { ...SMALL, connections: 512 }),
    figures: SMALL_FIGURES,
  },
  requestCase("100KiB", "100 KiB answers, 32 connections", {
    path: "/100KiB.bin",
    bytes: FILES["/100KiB.bin"],
    connections: 32,
  }),
  requestCase("10MiB", "10 MiB answers, 8 connections", {
    path: "/10MiB.bin",
    bytes: FILES["/10MiB.bin"],
    connections: 8,
  }),
  requestCase("upload", "1 MiB uploads, 8 connections", {
    path: UPLOAD_PATH,
    bytes: UPLOAD_BYTES,
    connections: 8,
    isUpload: true,
  }),
  {
    name: "streams",
    title: "1,000 open event streams, an event per second on each",
    figures: ["perSecond", "cpu", "p50", "p99", "peak", "growth"],
    suits: isEverywhere,
    sample: sampleStreams,
  },
  {
    name: "start",
    title: "Start to ready",
    figures: ["ready"],
    suits: ({ variant }) => variant === "default",
    sample: sampleStart,
  },
];

function requestCase(name: string, title: string, requests: Requests): Case {
  return {
    name,
    title,
    figures: LARGE_FIGURES,
    suits: isEverywhere,
    sample: (candidate, setting) => sampleRequests(candidate, requests, setting),
  };
}

async function sampleRequests(candidate: Candidate, requests: Requests, setting: Setting): Promise<Sample> {
  const { targetPort, load, seconds } = setting;
  const { path, connections, bytes, isUpload } = requests;
  return await withCandidate(candidate, targetPort, setting, async ({ pid }, port) => {
    const headers = candidate.headers(targetPort);
    await checkAnswer(port, headers, requests);
    const job: Job = { port, path, headers, connections, seconds, ...(isUpload && { uploadBytes: bytes }) };
    await warmUp(pid, () => load({ ...job, seconds: 1 }));
    const before = readUsage(pid);
    const result = await load(job);
    await Bun.sleep(SETTLE_MS);
    const after = readUsage(pid);
    if (result.errors > 0) throw new Error(`${result.errors} errors beside ${result.requests} answers`);
    if (result.requests === 0) throw new Error("no answer was complete");
    const micros = after.cpuMicros - before.cpuMicros;
    return {
      perSecond: result.requests / result.seconds,
      cpu: micros / result.requests,
      cpuPerMiB: micros / ((isUpload ? result.requests * bytes : result.bytes) / MIB),
      p50: result.p50,
      p99: result.p99,
      peak: after.peakBytes,
    };
  });
}

/** By CPU time rather than by the clock: on a busy machine a second may be too short to compile anything. */
async function warmUp(pid: number, runOnce: () => Promise<unknown>): Promise<void> {
  const { cpuMicros } = readUsage(pid);
  for (let runs = 0; runs < WARM_RUNS && readUsage(pid).cpuMicros - cpuMicros < WARM_MICROS; runs += 1) {
    await runOnce();
  }
}

/** No candidate is measured while it answers errors, or something shorter. */
async function checkAnswer(port: number, headers: Record<string, string>, requests: Requests): Promise<void> {
  const { path, bytes, isUpload } = requests;
  const body = isUpload ? Buffer.alloc(bytes, "x") : undefined;
  const answer = await requestOnce({ port, path, headers, body });
  if (answer.status !== 200) throw new Error(`status ${answer.status}, expected 200: ${answer.text}`);
  const arrived = isUpload ? Number(answer.text) : answer.bytes;
  if (isUpload ? !(arrived >= bytes) : arrived !== bytes) {
    throw new Error(`${arrived} bytes arrived, expected ${bytes}`);
  }
}

async function sampleStreams(candidate: Candidate, setting: Setting): Promise<Sample> {
  const target = await startEventTarget();
  try {
    return await withCandidate(candidate, target.port, setting, async ({ pid }, port) => {
      const headers = { ...candidate.headers(target.port), accept: "text/event-stream" };
      return {
        ...await measureStreams(pid, { port, path: "/events", headers }, setting.seconds * STREAM_SHARE),
      };
    });
  } finally {
    target.stop();
  }
}

async function sampleStart(candidate: Candidate, { targetPort, folder }: Setting): Promise<Sample> {
  const port = await findPort();
  const launch = await candidate.launch({ port, targetPort, folder });
  const program = start(PROXY_CORE, launch);
  try {
    return { ready: await waitUntilReady(program, port, HEALTH_PATH) };
  } finally {
    await program.stop();
  }
}

/** Runs a candidate, ready to answer, as long as `work` takes. */
async function withCandidate(
  candidate: Candidate,
  targetPort: number,
  { folder }: Setting,
  work: (program: Running, port: number) => Promise<Sample>,
): Promise<Sample> {
  const port = await findPort();
  const program = start(PROXY_CORE, await candidate.launch({ port, targetPort, folder }));
  try {
    await waitUntilReady(program, port);
    return await work(program, port);
  } finally {
    await program.stop();
  }
}
