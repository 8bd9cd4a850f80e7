/**
 * Several processes that serve one port: the first one starts them, replaces who dies, and stops them together.
 * @module
 */

import cluster, { type Worker } from "node:cluster";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, ConfigError } from "../../settings/config.ts";
import type { RateCount } from "../../exchange/runtime.ts";
import { createMemoryStore } from "../../exchange/rate-store.ts";
import { claimPort } from "./claim-port.ts";
import { endWith } from "../process/drain.ts";
import { Line } from "./channel.ts";
import type { Listener } from "../process/listener.ts";
import { writeError } from "../process/log.ts";
import { type Failure, FIRST_MARK, type Place, WORKER_MARK } from "./secondary.ts";

/** Has `listenDatagram` where the unstable parts of its network are there. */
declare const Deno: object;

/** A place is filled at most once in so many milliseconds: what dies at once must not keep the machine busy. */
const LEAST_LIFE_MS = 1_000;
/** A worker that is stuck is left out of the metrics after this many milliseconds. */
const METRICS_MS = 1_000;

/** What a worker tells when it listens. */
type Ready = Pick<Listener, "port" | "isLocal">;

/**
 * Starts as many workers as the settings ask for; settles when all of them listen.
 *
 * @throws {ConfigError} where there can't be several
 */
export async function startWorkers(config: Config): Promise<Listener> {
  checkWorkers(config);
  const crew = new Crew(await claimPort(config));
  // A worker that is stuck sees no end of this process, and would keep the port.
  process.on("exit", () => crew.kill());
  try {
    const [ready] = await Promise.all(Array.from({ length: config.workers }, () => crew.hire()));
    return { ...ready!, drain: () => crew.dismiss() };
  } catch (error) {
    crew.kill();
    throw error;
  }
}

function checkWorkers({ workers, maxConcurrent }: Config): void {
  const { bun, deno } = process.versions as Record<string, string | undefined>;
  const refuse = (expected: string) => new ConfigError(`WORKERS is ${workers}, expected ${expected}`);
  if ((bun || deno) && process.platform !== "linux") {
    throw refuse("1: Bun and Deno share a port on Linux only, Node does everywhere");
  }
  if (deno && !("listenDatagram" in Deno)) {
    throw refuse("1, or the flag --unstable-net for Deno: it shares no port without");
  }
  if (!cluster.isPrimary) throw refuse("1 in a process that is a worker itself");
  if (maxConcurrent > 0 && maxConcurrent < workers) {
    throw refuse(`at most MAX_CONCURRENT, ${maxConcurrent}: each has its part of it`);
  }
}

/** All workers of this process. */
class Crew {
  readonly #workers = new Set<Worker>();
  /** To those that can hear: what is said to a worker before it asks for its place is lost. */
  readonly #lines = new Map<Worker, Line>();
  readonly #place: Place;
  readonly #release: () => Promise<void>;
  readonly #counts = createMemoryStore();
  #isDismissed = false;
  #onEmpty = () => {};

  constructor({ port, release }: { port: number; release: () => Promise<void> }) {
    this.#place = { port, id: crypto.randomUUID(), ticket: crypto.randomUUID() };
    this.#release = release;
  }

  /** Starts a worker; settles when it listens. */
  hire(): Promise<Ready> {
    return new Promise((resolve, reject) => {
      const started = performance.now();
      let isReady = false;
      const worker = cluster.fork({
        [WORKER_MARK]: JSON.stringify(process.argv.slice(2)),
        [FIRST_MARK]: String(process.pid),
      });
      const line = new Line(worker as never, {
        ...this.#answers,
        traffic: (entries: object[]) => {
          const others = [...this.#lines.values()].filter((other) => other !== line);
          for (const other of others) void other.ask("traffic", entries).catch(() => {});
        },
        join: async () => {
          this.#lines.set(worker, line);
          await this.#release();
          return this.#place;
        },
        ready: (ready: Ready) => {
          isReady = true;
          resolve(ready);
        },
        fail: (failure: Failure) => reject(revive(failure)),
      });
      this.#workers.add(worker);
      worker.on("error", () => line.close());
      worker.on("exit", (code, signal) => {
        line.close();
        this.#lines.delete(worker);
        this.#workers.delete(worker);
        if (this.#workers.size === 0) this.#onEmpty();
        if (!isReady) reject(new ConfigError(`a worker ended with ${signal ?? code}, expected it to listen`));
        else if (!this.#isDismissed) void this.#replace(worker, signal ?? code, started);
      });
    });
  }

  /** Lets all of them finish what is in flight. */
  dismiss(): Promise<void> {
    this.#isDismissed = true;
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      if (this.#workers.size === 0) resolve();
      for (const worker of this.#workers) {
        const line = this.#lines.get(worker);
        if (line) void line.ask("stop").catch(() => {});
        else worker.process.kill("SIGKILL");
      }
    });
  }

  /** Ends all of them at once. */
  kill(): void {
    this.#isDismissed = true;
    for (const worker of this.#workers) worker.process.kill("SIGKILL");
  }

  get #answers() {
    return {
      count: ({ caller, seconds }: { caller: string; seconds: number }): Promise<RateCount> =>
        this.#counts.count(caller, seconds),
      metrics: async (): Promise<string[]> => {
        const asked = [...this.#lines.values()].map((line) => line.askWithin<string>(METRICS_MS, "metrics"));
        const settled = await Promise.allSettled(asked);
        return settled.flatMap((text) => (text.status === "fulfilled" ? [text.value] : []));
      },
    };
  }

  /** Another takes the place; where it can't, all end, so that whoever watches over this process starts it anew. */
  async #replace({ process: { pid } }: Worker, reason: string | number, started: number): Promise<void> {
    writeError(`fetchvia: worker ${pid} ended with ${reason}, another takes its place`);
    await sleep(Math.max(0, LEAST_LIFE_MS - (performance.now() - started)));
    if (this.#isDismissed) return;
    await this.hire().catch((error: Error) => {
      if (this.#isDismissed) return;
      this.kill();
      return endWith(`fetchvia cannot go on: ${error.message}`);
    });
  }
}

function revive({ name, message, code }: Failure): Error {
  return name === "ConfigError" ? new ConfigError(message) : Object.assign(new Error(message), { code });
}
