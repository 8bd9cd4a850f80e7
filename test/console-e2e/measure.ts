/**
 * Measures a page while something happens: how busy its main thread is, and how much of the layout moves.
 * @module
 */
import type { CDPSession, Page } from "playwright-core";

/** What was measured. */
export interface Measured {
  /** Processor time of the main thread, as a share of one core. Compare it with that of other work in the same run. */
  busy: number;
  /** Cumulative layout shift that nobody caused by typing or clicking. */
  shift: number;
}

/** Seconds that `layOut` takes on a machine that is not slowed down by others. */
const USUAL_S = 0.12;

/** Measures while `work` is done. Processor time, not time on the clock: other processes may use the machine, too. */
export async function measureWhile(page: Page, work: () => Promise<unknown>): Promise<Measured> {
  const session = await openMetrics(page);
  await page.evaluate(watchShifts);
  const before = await readBusy(session);
  const start = performance.now();
  await work();
  const busy = await readBusy(session) - before;
  const seconds = (performance.now() - start) / 1_000;
  const shift = await page.evaluate(() => (globalThis as unknown as Shifts).shift);
  await session.detach();
  return { busy: busy / seconds, shift };
}

/** How many times slower the machine is now: others on the same host slow its memory down. At least 1. */
export async function measureSlowness(page: Page): Promise<number> {
  const session = await openMetrics(page);
  const before = await readBusy(session);
  await page.evaluate(layOut);
  const busy = await readBusy(session) - before;
  await session.detach();
  return Math.max(1, busy / USUAL_S);
}

async function openMetrics(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return session;
}

/** Seconds of processor time that the page's main thread has taken so far. */
async function readBusy(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN;
}

/** What requests are listed in: so many a second for so many milliseconds, each with this entry. */
export interface PlainList {
  perSecond: number;
  ms: number;
  entry: string;
}

/** Runs in the page: lists requests in an ordinary table of the last 100, as whoever writes such a page first would. */
export async function listPlainly({ perSecond, ms, entry }: PlainList): Promise<void> {
  const list = document.createElement("div");
  list.style.cssText = "position:fixed;inset:0;z-index:9;overflow:auto;background:canvas";
  const table = document.createElement("table");
  list.append(table);
  document.body.append(list);
  const every = 1_000 / perSecond;
  for (let next = performance.now(), left = ms / every; left > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (; left > 0 && next < performance.now(); next += every, left -= 1) {
      const { method, status, address, bytesOut, totalMs } = JSON.parse(entry) as Record<string, string>;
      const row = table.insertRow(0);
      for (const text of [method, status, address, bytesOut, totalMs]) row.insertCell().textContent = text!;
      table.rows[100]?.remove();
    }
    table.getBoundingClientRect();
  }
  list.remove();
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
