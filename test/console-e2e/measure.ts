/**
 * Measures a page while something happens: how busy its main thread is, and how much of the layout moves.
 * @module
 */
import type { Page } from "playwright-core";

/** What was measured. */
export interface Measured {
  /** Processor time of the main thread, as a share of one core of a machine that is not slowed down by others. */
  busy: number;
  /** How many times slower the machine is. */
  slowness: number;
  /** Cumulative layout shift that nobody caused by typing or clicking. */
  shift: number;
}

/** Seconds that `layOut` takes on such a machine. */
const USUAL_S = 0.12;

/**
 * Measures while `work` is done. Processor time, not time on the clock: other processes may use the machine, too. Other
 * machines on the same host slow its memory down, so its pace is measured before and after.
 */
export async function measureWhile(page: Page, work: () => Promise<unknown>): Promise<Measured> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
    return { busy: valueOf("TaskDuration"), clock: performance.now() / 1_000 };
  };
  const readSlowness = async () => {
    const { busy } = await read();
    await page.evaluate(layOut);
    return Math.max(1, ((await read()).busy - busy) / USUAL_S);
  };
  await page.evaluate(watchShifts);
  const first = await readSlowness();
  const before = await read();
  await work();
  const after = await read();
  const share = (after.busy - before.busy) / (after.clock - before.clock);
  const slowness = (first + await readSlowness()) / 2;
  const shift = await page.evaluate(() => (globalThis as unknown as Shifts).shift);
  await session.detach();
  return { busy: share / slowness, slowness, shift };
}

interface Shifts {
  shift: number;
}

/** Runs in the page: lays a table out, as the page that is measured does. */
function layOut(): void {
  const table = document.createElement("table");
  for (let at = 0; at < 2_000; at += 1) {
    const row = table.insertRow();
    for (const text of ["GET", "200", "http://127.0.0.1/flow?some=thing", "12 ms"]) {
      row.insertCell().textContent = text;
    }
  }
  document.body.append(table);
  table.getBoundingClientRect();
  table.remove();
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
