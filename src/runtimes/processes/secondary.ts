/**
 * One of several processes that serve one port: it does what the first process says, and shares what there is one of.
 * @module
 */

import process from "node:process";
import type { Config } from "../../settings/config.ts";
import type { RateCount, Shared } from "../../exchange/runtime.ts";
import { stopWhenDrained, WORKER_DRAIN_MS } from "../process/drain.ts";
import { Line } from "./channel.ts";
import type { Listen, Listener } from "../process/listener.ts";

/**
 * Set in the environment of workers, and nowhere else: the flags of the first process, as JSON. (An executable file made
 * by Bun mixes its own into the arguments of workers.)
 */
export const WORKER_MARK = "FETCHVIA_WORKER";
/** The environment variable that names the first process. */
export const FIRST_MARK = "FETCHVIA_FIRST";

/** So often a worker looks after the first process, in milliseconds: a channel that breaks while it starts says nothing (Deno 2.9). */
const LOOK_MS = 1_000;

/** What the first process tells a worker. */
export interface Place {
  port: number;
  id: string;
  ticket: string;
}

/** Why a worker can't listen, as far as it fits through the channel. */
export interface Failure {
  name: string;
  message: string;
  code?: string | undefined;
}

/** Serves until the first process says stop, or is gone. */
export async function work(config: Config, listen: Listen): Promise<void> {
  let listener: Listener | undefined;
  let readMetrics = () => "";
  let takeTraffic: (entries: readonly never[]) => void = () => {};
  const line = new Line(process as never, {
    metrics: () => readMetrics(),
    traffic: (entries: readonly never[]) => takeTraffic(entries),
    stop: () => void stopWhenDrained(listener?.drain(), WORKER_DRAIN_MS),
  });
  // A terminal and a service manager signal every process; the first one alone decides.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit(0));
  const first = Number(process.env[FIRST_MARK]);
  setInterval(() => process.ppid === first || process.exit(0), LOOK_MS);
  const { port, id, ticket } = await line.ask<Place>("join");
  const shared: Shared = {
    id,
    ticket,
    rateStore: { count: (caller, seconds) => line.ask<RateCount>("count", { caller, seconds }) },
    shareMetrics: (read) => {
      readMetrics = read;
      return () => line.ask<string[]>("metrics");
    },
    shareTraffic: (take) => {
      takeTraffic = take;
      return (entries) => void line.ask("traffic", entries).catch(() => {});
    },
  };
  try {
    listener = await listen(takeShare(config, port), shared);
    await line.ask("ready", { port: listener.port, isLocal: listener.isLocal });
  } catch (error) {
    const { name, message, code } = error as Failure;
    await line.ask("fail", { name, message, code });
  }
}

/** A limit of requests at once is one for all: each worker has its part of it. */
function takeShare(config: Config, port: number): Config {
  const maxConcurrent = Math.floor(config.maxConcurrent / config.workers);
  return { ...config, port, workers: 1, maxConcurrent };
}
