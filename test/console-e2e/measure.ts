/**
 * Measures a page while something happens: how busy its main thread is, and how much of the layout moves.
 * @module
 */
import type { Page } from "playwright-core";

/** What was measured. */
export interface Measured {
  /** Processor time of the main thread, as a share of one core. */
  busy: number;
  /** Cumulative layout shift that nobody caused by typing or clicking. */
  shift: number;
}

/** Measures while `work` is done. Processor time, not time on the clock: other processes may use the machine, too. */
export async function measureWhile(page: Page, work: () => Promise<unknown>): Promise<Measured> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
    return { busy: valueOf("TaskDuration"), clock: performance.now() / 1_000 };
  };
  await page.evaluate(watchShifts);
  const before = await read();
  await work();
  const after = await read();
  const shift = await page.evaluate(() => (globalThis as unknown as Shifts).shift);
  await session.detach();
  return { busy: (after.busy - before.busy) / (after.clock - before.clock), shift };
}

interface Shifts {
  shift: number;
}

/** Runs in the page. */
function watchShifts(): void {
  const shifts = globalThis as unknown as Shifts;
  shifts.shift = 0;
  const watch = new PerformanceObserver((list) => {
    for (
      const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]
    ) {
      if (!entry.hadRecentInput) shifts.shift += entry.value;
    }
  });
  watch.observe({ type: "layout-shift" });
}
