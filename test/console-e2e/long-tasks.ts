/**
 * How long a page keeps its main thread in one go.
 * @module
 */
import type { Browser, Page } from "playwright-core";
import { measureSlowness } from "./measure.ts";

/** An event of Chromium's trace; times are in microseconds. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time of the thread, of an event that lasts. */
  tdur?: number;
  args?: { name?: string };
}

/**
 * The processor time of the longest task of any page's main thread while `work` is done, in milliseconds of a machine that
 * is not slowed down by others. The least of up to three rounds, until one is below the limit: a task of the page's own comes
 * in each of them; one that the machine or a collection of memory made long, does not.
 *
 * @throws {Error} if the trace has no task: then nothing was measured
 */
export async function measureLongestTask(
  browser: Browser,
  page: Page,
  limit: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let least = Infinity;
  for (let left = 3; left > 0 && least >= limit; left -= 1) {
    const longest = await traceLongest(browser, page, work);
    least = Math.min(least, longest / await measureSlowness(page));
  }
  return least;
}

/** It is not time on the clock, as the `longtask` observer gives it: other processes may use the machine, too. */
async function traceLongest(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<number> {
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(
      threadOf,
    ),
  );
  const tasks = traceEvents.filter((event) => event.name === "RunTask" && mains.has(threadOf(event)))
    .flatMap(({ tdur }) => tdur === undefined ? [] : [tdur / 1_000]);
  if (tasks.length === 0) throw new Error("the trace has no task with processor time");
  return Math.max(...tasks);
}
