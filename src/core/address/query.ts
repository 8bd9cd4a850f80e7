/**
 * Reads parameters out of a query as it was sent: no form decoding, no change of bytes that belong to a target.
 * @module
 */

import { decodePercent } from "../http/text.ts";

const RAW_ADDRESS = /^(?:https?|wss?):\/\//i;

/** The query of a path as sent, without its `?`; `""` when there is none. */
export function readQuery(path: string): string {
  const start = path.indexOf("?");
  return start < 0 ? "" : path.slice(start + 1);
}

/**
 * The value of the first parameter of that name, as sent: up to the next `&`, not decoded.
 * What follows a raw `url=` address with a `?` belongs to that address and is never read as a parameter.
 *
 * @param address the parameter that may hold a raw address; `url` by default
 * @returns `undefined` when there is no such parameter
 */
export function readParameter(query: string, name: string, address = "url"): string | undefined {
  for (const [key, value] of parameters(query, address)) if (key === name) return value;
  return undefined;
}

/** The names of all parameters in a path, as sent, without empty ones. */
export function listParameters(path: string): string[] {
  return [...parameters(readQuery(path), "url")].map(([name]) => name).filter((name) => name !== "");
}

/** True for an address that was sent as it is, not encoded: its scheme is readable. */
export function isRawAddress(value: string): boolean {
  return RAW_ADDRESS.test(value);
}

/** The query without the parameters of that name; a raw address keeps everything that belongs to it. */
export function dropParameter(query: string, name: string): string {
  const kept = [...parameters(query, "url")].filter(([key]) => key !== name);
  return kept.map(([key, value, hasValue]) => hasValue ? `${key}=${value}` : key).join("&");
}

/**
 * The address in `url=`: as it is when it was sent raw, else decoded once.
 *
 * @returns `undefined` when there is no such parameter, `null` when its percent-encoding is malformed
 */
export function readAddressParameter(query: string): string | null | undefined {
  const value = readParameter(query, "url");
  if (value === undefined || isRawAddress(value)) return value;
  return decodePercent(value) ?? null;
}

function* parameters(
  query: string,
  address: string,
): Generator<readonly [name: string, value: string, hasValue: boolean]> {
  for (let start = 0; start < query.length;) {
    const next = query.indexOf("&", start);
    const end = next < 0 ? query.length : next;
    const [name = ""] = query.slice(start, end).split("=", 1);
    const value = query.slice(start + name.length + 1, end);
    if (name === address && isRawAddress(value) && value.includes("?")) {
      yield [name, query.slice(start + name.length + 1), true];
      return;
    }
    yield [name, value, start + name.length < end];
    start = end + 1;
  }
}
