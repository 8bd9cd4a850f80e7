/**
 * Formats numbers for people, and finds words and header fields.
 * @module
 */

const UNITS = ["B", "kB", "MB", "GB"];
/** Units of memory, as the settings have them. */
const MEMORY_UNITS = ["B", "KiB", "MiB", "GiB"];

/** Bytes: `512 B`, `12.3 kB`. */
export function formatBytes(bytes: number, step = 1_000, units: readonly string[] = UNITS): string {
  let value = bytes;
  let unit = 0;
  while (value >= step && unit < units.length - 1) {
    value /= step;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Bytes of memory: `64 KiB`, `1.5 MiB`. */
export function formatMemory(bytes: number): string {
  return formatBytes(bytes, 1_024, MEMORY_UNITS).replace(".0 ", " ");
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

/** Said of a response that its caller left. */
export const CLOSED_BY_CALLER = "closed by caller";

/** How a request ended, if not with the whole response. A caller that leaves one is no failure. */
export function tellEnd({ error, status }: { error?: string; status: number }): string {
  return error === "caller_gone" && status !== 0 ? CLOSED_BY_CALLER : error?.replaceAll("_", " ") ?? "";
}

/** The value of a JSON text; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a table says of a name that others chose: nothing of `constructor`, which every object has. */
export function findIn<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A media type without its parameters, in lower case. */
export function essenceOf(type: string): string {
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Header lines, in the order of the wire. */
export type Lines = readonly (readonly [name: string, value: string])[];

/** The value of the first line of this lower-case name; `undefined` if there is none. */
export function findField(lines: Lines, name: string): string | undefined {
  return lines.find(([other]) => other.toLowerCase() === name)?.[1];
}

/** True if there is a line of this lower-case name. */
export function hasField(lines: Lines, name: string): boolean {
  return findField(lines, name) !== undefined;
}
