/**
 * Formats numbers for people.
 * @module
 */

const UNITS = ["B", "kB", "MB", "GB"];

/** Bytes: `512 B`, `12.3 kB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** A time span: `0.4 ms`, `42 ms`, `1.3 s`. */
export function formatSpan(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(milliseconds >= 10_000 ? 0 : 1)} s`;
  return `${milliseconds >= 10 ? Math.round(milliseconds) : milliseconds.toFixed(1)} ms`;
}

/** The time of the day: `14:03:07`. */
export function formatClock(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/** The class of a status for its colour: `ok`, `moved`, `fault`, `failed`. */
export function statusClass(status: number): string {
  if (status >= 500) return "failed";
  if (status >= 400) return "fault";
  return status >= 300 ? "moved" : "ok";
}
