/**
 * Figures that Chromium measures: long tasks, shifts of the layout, the share of the main thread, what is too wide.
 * @module
 */
import type { Page } from "playwright-core";

/** What the page's own observers have counted. */
export interface Watched {
  /** The longest task, in milliseconds; 0 if none took 50. */
  longestTask: number;
  /** The sum of all shifts that nobody caused by typing or clicking. */
  shift: number;
  /** When the first line of a body was drawn, in milliseconds of the page; 0 if none was. */
  firstRow: number;
  /** When the last byte of the answer came, in the same milliseconds. */
  lastByte: number;
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/** Starts to watch a page; shifts are counted from its beginning. */
export async function watchPage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watched: Watched = { longestTask: 0, shift: 0, firstRow: 0, lastByte: 0 };
    Object.assign(globalThis, { watched });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        watched.longestTask = Math.max(watched.longestTask, duration);
      }
    }).observe({ type: "longtask" });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (!entry.hadRecentInput) watched.shift += entry.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
        if (entry.name.endsWith("/send")) watched.lastByte = entry.responseEnd;
      }
    }).observe({ type: "resource" });
    new MutationObserver(() => {
      if (watched.firstRow === 0 && document.querySelector("#answer .body-row")) {
        requestAnimationFrame(() => watched.firstRow ||= performance.now());
      }
    }).observe(document.querySelector("#answer-view")!, { childList: true, subtree: true });
  });
}

/** What has been counted until now. */
export function readWatched(page: Page): Promise<Watched> {
  return page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched);
}

/** The share of one core that the page's main thread takes while `act` runs, 0 to 1: its own time, not that of others. */
export async function measureShare(page: Page, act: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const readSeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
  };
  const [before, start] = [await readSeconds(), performance.now()];
  await act();
  const [after, end] = [await readSeconds(), performance.now()];
  await session.detach();
  return (after - before) * 1_000 / (end - start);
}

/** Pixels by which something stands out of the window, or of its card, and what it is. */
export interface Overflow {
  pixels: number;
  what: string;
}

/** Finds what stands out most: of the window, or of the card that it is in; what scrolls by itself may. */
export function findOverflow(page: Page): Promise<Overflow> {
  return page.evaluate(() => {
    const root = document.documentElement;
    let worst = { pixels: root.scrollWidth - root.clientWidth, what: "page" };
    const clips = (box: Element) => getComputedStyle(box).overflowX !== "visible" || box.matches(".sr");
    // A pane that is fixed lies beside its card.
    const isFree = (box: Element) => clips(box) || getComputedStyle(box).position === "fixed";
    const isClipped = (box: Element) => {
      for (let above: Element | null = box; above && !above.matches(".card"); above = above.parentElement) {
        if (isFree(above)) return true;
      }
      return false;
    };
    for (const card of document.querySelectorAll(".card")) {
      const { right } = card.getBoundingClientRect();
      for (const box of [card, ...card.querySelectorAll("*")]) {
        const { right: end, width } = box.getBoundingClientRect();
        const pixels = Math.round(end - (box === card ? innerWidth : right));
        if (width === 0 || pixels <= worst.pixels || (box !== card && isClipped(box))) continue;
        worst = { pixels, what: `${box.tagName.toLowerCase()}.${box.className || box.id}` };
      }
    }
    return worst;
  });
}
