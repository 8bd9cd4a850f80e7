/**
 * The two small charts and the figures above them.
 * @module
 */

import { element, find, graphic } from "../page/dom.ts";
import { formatBytes, formatSpan } from "../page/format.ts";
import { type Beat, type Column, countColumns, countFigures, dropOld, SPAN_MS, STEP_MS } from "./pulse.ts";

const WIDTH = 600;
const HEIGHT = 80;
const MINUTES = SPAN_MS / 60_000;

/** Charts that are redrawn every second while they are visible. */
export class Charts {
  #beats: Beat[] = [];
  /** How far the proxy's clock is ahead, in milliseconds. */
  #ahead = 0;

  constructor() {
    setInterval(() => document.hidden || this.draw(), 1_000);
  }

  /** Adds requests; `now` is the proxy's clock. */
  add(beats: readonly Beat[], now: number): void {
    this.#ahead = now - Date.now();
    this.#beats = dropOld([...this.#beats, ...beats], now);
    this.draw();
  }

  /** Removes all requests. */
  clear(): void {
    this.#beats = [];
    this.draw();
  }

  draw(): void {
    const now = Date.now() + this.#ahead;
    this.#beats = dropOld(this.#beats, now);
    const columns = countColumns(this.#beats, now);
    const { count, failed, bytes, median, slow } = countFigures(this.#beats);
    const slowest = Math.max(0, ...columns.map((column) => column.slowest ?? 0));
    const rate = count / (SPAN_MS / 1_000);
    const peak = Math.max(...columns.map((column) => column.count)) / (STEP_MS / 1_000);
    const failures = failed > 0 ? `, ${failed} failed` : "";
    find("charts").replaceChildren(
      panel(
        "Throughput",
        `${rate >= 10 || rate === 0 ? Math.round(rate) : rate.toFixed(1)} req/s`,
        `${count} in ${MINUTES} min${failures} · ${formatBytes(bytes)}`,
        peak > 0 ? `peak ${peak}/s` : "",
        drawCounts(columns),
      ),
      panel(
        "Latency",
        median === undefined ? "–" : formatSpan(median),
        slow === undefined ? "median, to the head of the answer" : `median · 95 % within ${formatSpan(slow)}`,
        slowest > 0 ? `max ${formatSpan(slowest)}` : "",
        drawTimes(columns),
      ),
    );
  }
}

function panel(title: string, figure: string, about: string, scale: string, chart: SVGElement): HTMLElement {
  chart.setAttribute("aria-label", `${title} of the last ${MINUTES} minutes: ${figure}, ${about}`);
  return element(
    "figure",
    { class: "chart" },
    element(
      "figcaption",
      {},
      element("span", { class: "title" }, title),
      element("strong", {}, figure),
      element("small", {}, about),
    ),
    element(
      "div",
      { class: "plot" },
      element("small", { class: "scale", "aria-hidden": "true" }, scale),
      chart as unknown as Node,
    ),
    element(
      "div",
      { class: "axis", "aria-hidden": "true" },
      element("span", {}, `${MINUTES} min ago`),
      element("span", {}, "now"),
    ),
  );
}

function frame(...marks: SVGElement[]): SVGElement {
  return graphic(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" },
    graphic("path", { class: "base", d: `M0 ${HEIGHT - 0.5}H${WIDTH}` }),
    ...marks,
  );
}

function drawCounts(columns: readonly Column[]): SVGElement {
  const most = Math.max(1, ...columns.map(({ count }) => count));
  const width = WIDTH / columns.length;
  const bars = columns.flatMap(({ count, failed }, index) => {
    if (count === 0) return [];
    const height = Math.max(3, (count / most) * (HEIGHT - 4));
    const failure = (failed / count) * height;
    const bar = (name: string, top: number, size: number) =>
      graphic("rect", { class: name, x: index * width + 1, y: top, width: width - 2, height: size, rx: 1 });
    const parts = [bar("beam", HEIGHT - height, height)];
    if (failed > 0) parts.push(bar("beam failed", HEIGHT - failure, failure));
    return parts;
  });
  return frame(...bars);
}

/** Draws a stem from the median to the slowest of each column, and a line through the medians. */
function drawTimes(columns: readonly Column[]): SVGElement {
  const most = Math.max(1, ...columns.map(({ slowest = 0 }) => slowest));
  const width = WIDTH / columns.length;
  const top = (value: number) => HEIGHT - 3 - (value / most) * (HEIGHT - 8);
  const points = columns.flatMap(({ median, slowest = 0 }, index) =>
    median === undefined ? [] : [{ x: (index + 0.5) * width, median: top(median), slowest: top(slowest) }]
  );
  const stems = points.map(({ x, median, slowest }) =>
    graphic("path", { class: "stem", d: `M${x} ${median}V${slowest}` })
  );
  const line = graphic("path", {
    class: "curve",
    d: points.map(({ x, median }, index) => `${index ? "L" : "M"}${x} ${median}`).join(""),
  });
  // A zero-length stroke with round caps is a dot that the stretched picture keeps round.
  const dots = points.map(({ x, median }) => graphic("path", { class: "dot", d: `M${x} ${median}h0` }));
  return frame(...stems, line, ...dots);
}
