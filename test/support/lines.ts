/**
 * What a proxy has written of its requests: log lines and counters.
 * @module
 */
import type { Shared } from "./pool.ts";
import { waitUntil } from "./wait.ts";

/** One log entry. */
export type Entry = Record<string, unknown>;

/** The entries of requests that come from now on, as JSON. A line is written some time after its request. */
export class Entries {
  readonly #proxy: Shared;
  readonly #offset: number;
  readonly #since = new Date(nextMillisecond()).toISOString();

  constructor(proxy: Shared) {
    this.#proxy = proxy;
    this.#offset = proxy.proxy.stdout().length;
  }

  /** The lines so far. */
  get lines(): string[] {
    const lines = this.#proxy.proxy.stdout().slice(this.#offset).split("\n").slice(0, -1);
    return lines.filter((line) => (JSON.parse(line) as { time: string }).time >= this.#since);
  }

  /** Waits until there are so many; gives them all. */
  async read(count: number): Promise<Entry[]> {
    await waitUntil(() => this.lines.length >= count);
    return this.lines.map((line) => JSON.parse(line) as Entry);
  }
}

/** The time, once it is another than now: a request of this millisecond may have been the one before. */
function nextMillisecond(): number {
  const now = Date.now();
  while (Date.now() === now);
  return Date.now();
}

/** The samples of `/__proxy__/metrics`: name and labels → value. */
export async function readSamples(proxy: Shared): Promise<Record<string, number>> {
  const { text } = await proxy.call("GET /__proxy__/metrics");
  const lines = text.trim().split("\n").filter((line) => !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => {
    const cut = line.lastIndexOf(" ");
    return [line.slice(0, cut), Number(line.slice(cut + 1))];
  }));
}
