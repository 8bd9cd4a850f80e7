/**
 * Terms of the filter that name a field, such as `status:5xx` and `host:api`. Pure functions.
 * @module
 */

import type { TrafficEntry } from "../../parts/console/traffic-message.ts";
import { routeOf } from "./row-route.ts";
import type { Test } from "./filter-test.ts";

/** The text of each field; `undefined` if a request has none. */
const READERS: Readonly<Record<string, (entry: TrafficEntry) => string | undefined>> = {
  method: ({ method }) => method,
  host: ({ target }) => target,
  path: ({ address, query = "" }) => address && address.replace(/^\w+:\/\/[^/]*/, "") + query,
  route: routeOf,
  selector: ({ selector }) => selector,
  error: ({ error }) => error,
  token: ({ callerId }) => callerId,
};

/** Fields that are asked for in whole; the others in part. */
const WHOLE = new Set(["method", "route", "selector"]);

/** The names of the fields. */
export const FIELDS: readonly string[] = ["status", ...Object.keys(READERS)];

/**
 * Reads the value of a field: `a,b` is either, `*` is any.
 *
 * @returns what is wrong, if it can't be read
 */
export function readField(name: string, value: string): Test | string {
  const values = value.toLowerCase().split(",").filter((one) => one !== "");
  if (name === "status") return readStatuses(values);
  const read = READERS[name]!;
  return ({ entry }) => {
    const found = read(entry)?.toLowerCase();
    return found !== undefined &&
      values.some((one) => one === "*" || (WHOLE.has(name) ? found === one : found.includes(one)));
  };
}

function readStatuses(values: readonly string[]): Test | string {
  const ranges = values.map(readRange);
  if (ranges.includes(undefined)) return "is no status. Write status:404, status:5xx or status:400-499";
  return ({ entry: { status } }) => ranges.some((range) => range && status >= range[0] && status <= range[1]);
}

function readRange(value: string): [first: number, last: number] | undefined {
  const [, first, last] = /^(\d{3})(?:-(\d{3}))?$/.exec(value) ?? [];
  if (first !== undefined) return [Number(first), Number(last ?? first)];
  const [digits] = /^[1-9]\d?(?=x{1,2}$)/.exec(value) ?? [];
  if (digits === undefined || value.length !== 3) return undefined;
  return [Number(digits.padEnd(3, "0")), Number(digits.padEnd(3, "9"))];
}
