/**
 * How one sample of one candidate is taken, on a process of its own.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sample, Setting } from "./cases.ts";
import { measureIdle } from "./idle.ts";
import type { Job } from "./load.ts";
import { readUsage } from "./measure.ts";
import { loadAtRate, RATE_CONNECTIONS } from "./open-loop.ts";
import type { Candidate } from "./peers.ts";
import { findPort, proxyCores, type Running, start, waitUntilReady } from "./processes.ts";
import { requestOnce } from "./raw-client.ts";
import { measureStreams, startEventTarget } from "./streams.ts";
import { originOf, type Way } from "./targets.ts";
import { warmUp } from "./warm-up.ts";

const MIB = 1024 * 1024;
const HEALTH_PATH = "/__proxy__/health";
/** How long a process may go on using CPU time after its last response, in milliseconds. */
const SETTLE_MS = 50;

/** The requests of a case. */
export interface Requests extends Pick<Job, "varies"> {
  way: Way;
  path: string;
  connections: number;
  /** Bytes of the body of each request or response. */
  bytes: number;
  isUpload?: boolean;
}

/** Sends as many requests as the connections can take, one after the other on each. */
export async function sampleRequests(
  candidate: Candidate,
  requests: Requests,
  setting: Setting,
): Promise<Sample> {
  const { load, seconds } = setting;
  const { connections, bytes, isUpload, varies } = requests;
  return await withChecked(candidate, requests, setting, async (pid, request) => {
    const job: Job = { ...request, connections, seconds, varies, ...(isUpload && { uploadBytes: bytes }) };
    await warmUp(pid, setting, () => load({ ...job, seconds: 1 }));
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

/** Makes sure that a candidate responds without errors and with the whole body before it is measured. */
async function checkAnswer(port: number, headers: Record<string, string>, requests: Requests): Promise<void> {
  const { bytes, isUpload } = requests;
  const path = requests.varies ? `${requests.path}/x?id=x` : requests.path;
  const body = isUpload ? Buffer.alloc(bytes, "x") : undefined;
  const answer = await requestOnce({ port, path, headers, body });
  if (answer.status !== 200) throw new Error(`status ${answer.status}, expected 200: ${answer.text}`);
  const arrived = isUpload ? Number(answer.text) : answer.bytes;
  if (isUpload ? !(arrived >= bytes) : arrived !== bytes) {
    throw new Error(`${arrived} bytes arrived, expected ${bytes}`);
  }
}

/** Sends requests at a fixed rate, however the candidate copes with it. */
export async function sampleRate(
  candidate: Candidate,
  requests: Requests,
  setting: Setting,
): Promise<Sample> {
  return await withChecked(candidate, requests, setting, async (pid, request) => {
    // Warms up at full load, because at a lower rate engines take tens of seconds to compile.
    const job: Job = { ...request, connections: RATE_CONNECTIONS, seconds: 1 };
    await warmUp(pid, setting, () => setting.load(job));
    await loadAtRate(request, setting.rate, 1);
    const before = readUsage(pid);
    const { answers, errors, ...figures } = await loadAtRate(request, setting.rate, setting.seconds);
    await Bun.sleep(SETTLE_MS);
    const after = readUsage(pid);
    if (errors > 0) throw new Error(`${errors} errors beside ${answers} answers`);
    if (answers === 0) throw new Error("no answer was complete");
    return {
      ...figures,
      cpu: (after.cpuMicros - before.cpuMicros) / answers,
      peak: after.peakBytes,
    };
  });
}

/** Measures streams that stay open. */
export async function sampleStreams(candidate: Candidate, setting: Setting): Promise<Sample> {
  const events = await startEventTarget();
  const target = originOf(events.port);
  try {
    return await withCandidate(candidate, target, setting, async ({ pid }, port) => {
      const headers = { ...candidate.headers(target), accept: "text/event-stream" };
      return {
        ...await measureStreams(pid, { port, headers }, setting),
      };
    });
  } finally {
    events.stop();
  }
}

/** Measures connections that stay open without any traffic. */
export async function sampleIdle(
  candidate: Candidate,
  requests: Requests,
  setting: Setting,
): Promise<Sample> {
  return await withChecked(
    candidate,
    requests,
    setting,
    async (pid, request) => ({ ...await measureIdle(pid, request, setting.seconds) }),
  );
}

/** Measures the time from the start to the first response: of the proxy itself, or for a peer the first that it forwards. */
export async function sampleStart(
  candidate: Candidate,
  requests: Requests,
  setting: Setting,
): Promise<Sample> {
  const path = candidate.variant ? HEALTH_PATH : requests.path;
  const { port, program } = await launch(candidate, setting.target.origins[requests.way], setting);
  try {
    return { ready: await waitUntilReady(program, port, path) };
  } finally {
    await program.stop();
  }
}

/** Like `withCandidate`, after one response was checked; `work` gets the request to repeat. */
async function withChecked(
  candidate: Candidate,
  requests: Requests,
  setting: Setting,
  work: (pid: number, request: Pick<Job, "port" | "path" | "headers" | "lines">) => Promise<Sample>,
): Promise<Sample> {
  const target = setting.target.origins[requests.way];
  return await withCandidate(candidate, target, setting, async ({ pid }, port) => {
    const headers = candidate.headers(target);
    const some = await candidate.lines?.(target);
    const lines = some && join(setting.folder, "lines.txt");
    if (lines) await writeFile(lines, some.join("\n"));
    const [name = "", value = ""] = some?.[0]?.split(": ") ?? [];
    await checkAnswer(port, some ? { ...headers, [name]: value } : headers, requests);
    return await work(pid, { port, path: requests.path, headers, lines });
  });
}

/** A candidate that runs. */
export interface Launched {
  port: number;
  program: Running;
}

/** Starts a candidate, waits until it accepts connections, and stops it when `work` has ended, unless it is kept. */
async function withCandidate(
  candidate: Candidate,
  target: string,
  setting: Setting,
  work: (program: Running, port: number) => Promise<Sample>,
): Promise<Sample> {
  const { kept } = setting;
  const key = `${candidate.name} ${target}`;
  const known = kept?.get(key);
  const launched = known ?? await launch(candidate, target, setting);
  const { port, program } = launched;
  kept?.delete(key);
  try {
    // Ours may hold its port before it serves: several processes claim it first.
    if (!known) await waitUntilReady(program, port, candidate.variant && HEALTH_PATH);
    const sample = await work(program, port);
    kept?.set(key, launched);
    // A process of several cases has no peak of one.
    if (kept) delete sample.peak;
    return sample;
  } finally {
    if (!kept?.has(key)) await program.stop();
  }
}

async function launch(
  candidate: Candidate,
  target: string,
  { folder, target: { authority } }: Setting,
): Promise<Launched> {
  const port = await findPort();
  return {
    port,
    program: start(proxyCores(candidate.cores), await candidate.launch({ port, target, authority, folder })),
  };
}
