/**
 * The primary process of `WORKERS`: starts the workers, replaces those that die, and stops all of them together.
 * @module
 */

import cluster, { type Worker as Process } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, ConfigError } from "../../core/settings/config.ts";
import type { RateCount } from "../../core/runtime.ts";
import { createMemoryStore } from "../../core/door/rate-store.ts";
import { type Claim, claimPort } from "../../runtimes/process/claim-port.ts";
import { endWith } from "../../runtimes/process/drain.ts";
import { RpcPeer } from "./channel.ts";
import type { Listener } from "../../runtimes/process/listener.ts";
import { writeError } from "../../runtimes/process/write-log.ts";
import { type Failure, FLAGS_VARIABLE, type Place, PRIMARY_VARIABLE } from "./secondary.ts";

/** Has `listenDatagram` if the unstable network API is enabled. */
declare const Deno: object;

/**
 * Minimum milliseconds between the start of a worker and of its replacement, so that workers that die at once cost little.
 */
const LEAST_LIFE_MS = 1_000;
/** Timeout for the metrics of a worker, in milliseconds. */
const METRICS_MS = 1_000;

/** Timeout for a worker to answer a question about captures, in milliseconds. */
const CAPTURE_MS = 2_000;
/** Timeout for a worker to count its requests, in milliseconds. */
const COUNT_MS = 1_000;
/** How long workers may take to cut what is in flight, before they are killed, in milliseconds. */
const GRACE_MS = 2_000;
/** Timeout for a worker to read its files again, in milliseconds. */
const REREAD_MS = 5_000;

/** What a worker reports when it listens. */
type Ready = Pick<Listener, "port" | "isLocal">;

/**
 * Starts the configured number of workers; settles when all of them listen.
 *
 * @throws {ConfigError} if this runtime or the settings do not allow several processes
 */
export async function startProcesses(config: Config): Promise<Listener> {
  checkProcesses(config);
  const group = new ProcessGroup(await claimPort(config), config.signingKey);
  // A stuck worker would not notice that this process has ended, and would keep the port.
  process.on("exit", () => group.kill());
  try {
    const [ready] = await Promise.all(Array.from({ length: config.workers }, () => group.start()));
    return {
      ...ready!,
      drain: () => group.stop(),
      graceMs: GRACE_MS,
      countOpen: () => group.countOpen(),
      cut: () => group.cut,
      reread: () => group.reread(),
    };
  } catch (error) {
    group.kill();
    throw error;
  }
}

function checkProcesses({ workers, maxConcurrent }: Config): void {
  const { bun, deno } = process.versions as Record<string, string | undefined>;
  const unusable = (expected: string) => new ConfigError(`WORKERS is ${workers}, expected ${expected}`);
  if ((bun || deno) && process.platform !== "linux") {
    throw unusable("1: Bun and Deno can share a port on Linux only, Node can everywhere");
  }
  if (deno && !("listenDatagram" in Deno)) {
    throw unusable("1, or Deno with the flag --unstable-net: it cannot share a port without");
  }
  if (!cluster.isPrimary) throw unusable("1 inside a worker process");
  if (maxConcurrent > 0 && maxConcurrent < workers) {
    throw unusable(`at most MAX_CONCURRENT, ${maxConcurrent}: the workers share it`);
  }
}

/** The workers of this process. */
class ProcessGroup {
  readonly #processes = new Set<Process>();
  /** Peers of workers that have joined. Messages that are sent to a worker before it joins are lost. */
  readonly #peers = new Map<Process, RpcPeer>();
  readonly #place: Omit<Place, "processNumber">;
  /** Number of workers that have joined so far. */
  #joined = 0;
  /** Workers that listen. */
  readonly #serving = new Set<Process>();
  readonly #release: () => Promise<void>;
  readonly #counts = createMemoryStore();
  /** Number of requests that workers have cut so far. */
  cut = 0;
  #isStopped = false;
  #onEmpty = () => {};

  constructor({ port, release }: Claim, signingKey: string) {
    const [id, ticket, captureKey] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    this.#place = { port, id, ticket, captureKey, signingKey };
    this.#release = release;
  }

  /** Starts a worker; settles when it listens. */
  start(): Promise<Ready> {
    return new Promise((resolve, reject) => {
      const started = performance.now();
      const child = cluster.fork({
        [FLAGS_VARIABLE]: JSON.stringify(process.argv.slice(2)),
        [PRIMARY_VARIABLE]: String(process.pid),
      });
      const peer = new RpcPeer(child as never, {
        ...this.#answers,
        traffic: (entries: object[]) => {
          const others = [...this.#peers.values()].filter((other) => other !== peer);
          for (const other of others) void other.ask("traffic", entries).catch(() => {});
        },
        join: async () => {
          this.#peers.set(child, peer);
          await this.#release();
          return { ...this.#place, processNumber: this.#joined += 1 };
        },
        ready: (ready: Ready) => {
          this.#serving.add(child);
          resolve(ready);
        },
        cut: (count: number) => void (this.cut += count),
        fail: (failure: Failure) => reject(revive(failure)),
      });
      this.#processes.add(child);
      const end = (reason: string | number) => {
        peer.close();
        this.#peers.delete(child);
        this.#processes.delete(child);
        if (this.#processes.size === 0) this.#onEmpty();
        if (!this.#serving.delete(child)) {
          reject(new ConfigError(`a worker ended with ${reason} before it was listening`));
        } else if (!this.#isStopped) void this.#replace(child, reason, started);
      };
      child.on("exit", (code, signal) => end(signal ?? code));
      // One that the system could not start has no id and never ends.
      child.on("error", ({ message }) => child.process.pid === undefined ? end(message) : peer.close());
    });
  }

  /** Stops all workers; each finishes its requests in flight. Settles with the number of requests that were cut. */
  stop(): Promise<number> {
    this.#isStopped = true;
    return new Promise((resolve) => {
      this.#onEmpty = () => resolve(this.cut);
      if (this.#processes.size === 0) resolve(this.cut);
      for (const child of this.#processes) {
        const peer = this.#peers.get(child);
        if (peer) void peer.ask("stop").catch(() => {});
        else child.process.kill("SIGKILL");
      }
    });
  }

  /** Counts the requests in flight, in all workers that answer in time. */
  async countOpen(): Promise<number> {
    return (await this.#askAll<number>(COUNT_MS, "open")).reduce((sum, count) => sum + count, 0);
  }

  /** Makes all workers read their files again. Returns their lines for stderr, without duplicates. */
  async reread(): Promise<string[]> {
    const asked = [...this.#peers].map(([{ process: { pid } }, peer]) =>
      peer.askWithin<string[]>(REREAD_MS, "reread").catch(() =>
        // One that has ended meanwhile has nothing to read.
        this.#isStopped ? [] : [`worker ${pid} has not read again in time`]
      )
    );
    return [...new Set((await Promise.all(asked)).flat())];
  }

  /** Kills all workers at once. */
  kill(): void {
    this.#isStopped = true;
    for (const child of this.#processes) child.process.kill("SIGKILL");
  }

  get #answers() {
    return {
      count: ({ caller, seconds }: { caller: string; seconds: number }): Promise<RateCount> =>
        this.#counts.count(caller, seconds),
      metrics: () => this.#askAll<string>(METRICS_MS, "metrics"),
      capture: (question: string) => this.#askAll<string>(CAPTURE_MS, "capture", question),
    };
  }

  /** The replies of all workers that reply within so many milliseconds. */
  async #askAll<Answer>(limit: number, question: string, value?: unknown): Promise<Answer[]> {
    const asked = [...this.#peers.values()].map((peer) => peer.askWithin<Answer>(limit, question, value));
    const settled = await Promise.allSettled(asked);
    return settled.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  }

  /**
   * Starts a replacement; while others serve, until it can start: what keeps it, such as a bad table, is in no way of theirs. If
   * none serves, all processes end, so that the service manager restarts them.
   */
  async #replace({ process: { pid } }: Process, reason: string | number, started: number): Promise<void> {
    writeError(`fetchvia: worker ${pid} ended with ${reason}, another takes its place`);
    await sleep(Math.max(0, LEAST_LIFE_MS - (performance.now() - started)));
    for (let told = "";; await sleep(LEAST_LIFE_MS)) {
      if (this.#isStopped) return;
      const message = await this.start().then(() => "", (error: Error) => error.message);
      if (this.#isStopped) return;
      if (message === "") {
        return told ? writeError(`fetchvia: the place of worker ${pid} is taken`) : undefined;
      }
      if (this.#serving.size === 0) {
        this.kill();
        return endWith(`fetchvia cannot go on: ${message}`);
      }
      if (message !== told) writeError(`fetchvia: nothing takes the place of worker ${pid} yet: ${message}`);
      told = message;
    }
  }
}

function revive({ name, message, code }: Failure): Error {
  return name === "ConfigError" ? new ConfigError(message) : Object.assign(new Error(message), { code });
}
