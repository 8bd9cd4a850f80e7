/**
 * The charts as paths of a picture: pure functions.
 * @module
 */

import type { Column } from "./pulse.ts";

/** The width of the picture, in its own units. */
export const WIDTH = 600;
/** The height of the picture, in its own units. */
export const HEIGHT = 80;

/** Bars from the ground, as high as a part of the column's requests. */
export function pathOfBars(columns: readonly Column[], read: (column: Column) => number): string {
  const most = Math.max(1, ...columns.map(({ count }) => count));
  const width = WIDTH / columns.length;
  return columns.map((column, index) => {
    const value = read(column);
    if (value === 0) return "";
    const height = Math.max(3, (value / most) * (HEIGHT - 4));
    return `M${round(index * width + 1)} ${HEIGHT}v${round(-height)}h${round(width - 2)}v${round(height)}z`;
  }).join("");
}

/** A stem from the median to the slowest of each column. */
export function pathOfStems(columns: readonly Column[]): string {
  return pointsOf(columns).map((point) => (point ? `M${point.x} ${point.median}V${point.slowest}` : "")).join(
    "",
  );
}

/** A line through the medians. Where nothing was, there is a gap. */
export function pathOfCurve(columns: readonly Column[]): string {
  const points = pointsOf(columns);
  return points.map((point, index) =>
    point ? `${points[index - 1] ? "L" : "M"}${point.x} ${point.median}` : ""
  ).join("");
}

/** A dot on each median: a line without length, whose round ends the stretched picture keeps round. */
export function pathOfDots(columns: readonly Column[]): string {
  return pointsOf(columns).map((point) => (point ? `M${point.x} ${point.median}h0` : "")).join("");
}

interface Point {
  x: number;
  median: number;
  slowest: number;
}

function pointsOf(columns: readonly Column[]): (Point | undefined)[] {
  const most = Math.max(1, ...columns.map(({ slowest = 0 }) => slowest));
  const top = (value: number) => round(HEIGHT - 3 - (value / most) * (HEIGHT - 8));
  return columns.map(({ median, slowest = 0 }, index) =>
    median === undefined ? undefined : {
      x: round((index + 0.5) * (WIDTH / columns.length)),
      median: top(median),
      slowest: top(slowest),
    }
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
