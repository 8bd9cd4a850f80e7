/**
 * Runs one worker process. State that exists only once is held by the primary.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import type { RateCount, Shared } from "../../core/runtime.ts";
import { DRAIN_MS, drainWithin, finishOutput } from "../../runtimes/process/drain.ts";
import { RpcPeer } from "./channel.ts";
import type { Listen, Listener } from "../../runtimes/process/listener.ts";

/**
 * The environment variable with the primary's flags as JSON, set only for the workers that it starts. (An executable
 * made by Bun adds its own arguments to such processes.)
 */
export const FLAGS_VARIABLE = "FETCHVIA_WORKER";
/** The environment variable that names the primary. */
export const PRIMARY_VARIABLE = "FETCHVIA_FIRST";

/**
 * Interval in milliseconds to check that the primary is alive: a channel that breaks during the start goes unnoticed
 * (Deno 2.9).
 */
const LOOK_MS = 1_000;

/** What the primary tells a worker when it joins. */
export interface Place {
  port: number;
  id: string;
  ticket: string;
  captureKey: string;
  /** The primary's, because its file may have changed: all workers take the same tokens. */
  signingKey: string;
  processNumber: number;
}

/** Why a worker can't listen, as plain data for the channel. */
export interface Failure {
  name: string;
  message: string;
  code?: string | undefined;
}

/**
 * Serves until the primary says stop or is gone.
 *
 * @param read reads the settings, with this signing key
 */
export async function serveAsSecondary(read: (signingKey: string) => Config, listen: Listen): Promise<void> {
  let listener: Listener | undefined;
  const own: Own = {
    readMetrics: () => "",
    answerCapture: () => Promise.resolve("null"),
    takeTraffic: () => {},
  };
  const peer = new RpcPeer(process as never, {
    metrics: () => own.readMetrics(),
    traffic: (entries: readonly never[]) => own.takeTraffic(entries),
    capture: (question: string) => own.answerCapture(question),
    stop: () => void stop(listener, peer),
    open: () => listener?.countOpen() ?? 0,
    reread: () => listener?.reread() ?? [],
  });
  // Signals are ignored: a terminal and a service manager signal every process, but only the primary decides.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit(0));
  const first = Number(process.env[PRIMARY_VARIABLE]);
  setInterval(() => process.ppid === first || process.exit(0), LOOK_MS);
  const place = await peer.ask<Place>("join");
  try {
    listener = await listen(splitLimits(read(place.signingKey), place.port), share(place, peer, own));
    await peer.ask("ready", { port: listener.port, isLocal: listener.isLocal });
  } catch (error) {
    const { name, message, code } = error as Failure;
    await peer.ask("fail", { name, message, code });
    process.exit(1);
  }
}

/** The callbacks that other processes reach through the primary; set when the proxy of this process is made. */
interface Own {
  readMetrics(): string;
  answerCapture(question: string): Promise<string>;
  takeTraffic(entries: readonly never[]): void;
}

/** State shared with the other workers through the primary. */
function share({ id, ticket, captureKey, processNumber }: Place, peer: RpcPeer, own: Own): Shared {
  return {
    id,
    ticket,
    captureKey,
    processNumber,
    rateStore: { count: (caller, seconds) => peer.ask<RateCount>("count", { caller, seconds }) },
    shareMetrics: (read) => {
      own.readMetrics = read;
      return () => peer.ask<string[]>("metrics");
    },
    shareTraffic: (take) => {
      own.takeTraffic = take;
      return (entries) => void peer.ask("traffic", entries).catch(() => {});
    },
    shareCapture: (answer) => {
      own.answerCapture = answer;
      return (question) => peer.ask<string[]>("capture", question);
    },
  };
}

/** Drains, tells the primary how many requests were cut, writes the remaining lines and ends. */
async function stop(listener: Listener | undefined, peer: RpcPeer): Promise<void> {
  const count = listener ? await drainWithin(DRAIN_MS, Promise.resolve(listener)) : 0;
  if (count > 0) await peer.ask("cut", count).catch(() => {});
  await finishOutput();
  process.exit(0);
}

/** The settings of one process: the port, and its share of concurrent requests and of the memory for captures. */
export function splitLimits(config: Config, port: number): Config {
  const maxConcurrent = Math.floor(config.maxConcurrent / config.workers);
  const captureBytes = Math.floor(config.captureBytes / config.workers);
  return { ...config, port, workers: 1, maxConcurrent, captureBytes };
}
