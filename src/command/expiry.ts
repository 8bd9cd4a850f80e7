/**
 * Reads and writes when a signed link is to expire.
 * @module
 */

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const DURATION = /^(\d{1,9})([smhd])$/;
/** A time must have a zone: without one, its meaning would depend on the machine. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
/** Proxies read at most 12 digits. */
const LIMIT = 1e12;

/**
 * Reads a duration from now, such as `15m`, or a time in ISO 8601.
 *
 * @param now Unix time in seconds
 * @returns Unix time in whole seconds
 * @throws {Error} if the text is neither, or the time is not in the future or too far away
 */
export function readExpiry(text: string, now: number): number {
  const [, count, unit = ""] = DURATION.exec(text) ?? [];
  // `Date` takes 30 February for 2 March.
  const isDay = new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10));
  const time = TIME.test(text) && isDay ? Date.parse(text) / 1000 : NaN;
  const end = Math.floor(count === undefined ? time : now + Number(count) * (UNITS[unit] ?? NaN));
  if (Number.isNaN(end)) refuse(text, "it is neither a duration nor a time");
  if (end <= now) refuse(text, "it is not in the future");
  return end < LIMIT ? end : refuse(text, "it is too far away");
}

function refuse(text: string, state: string): never {
  const expected = "a duration such as 30s, 15m, 1h or 7d, or a time such as 2030-01-01T00:00:00Z";
  throw new Error(`Cannot use --expires ${text}: ${state}, expected ${expected}`);
}

/**
 * Writes a time in ISO 8601.
 *
 * @param seconds Unix time
 */
export function formatTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? "never" : time.toISOString();
}
