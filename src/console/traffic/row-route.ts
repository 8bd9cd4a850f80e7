/**
 * The host, the path and the route of a request: pure functions.
 * @module
 */

import type { TrafficEntry } from "../../parts/console/traffic-message.ts";

/** Numbers and dates, UUIDs, and what is long and has a digit: all of them name one thing of many. */
const ID = /^(?:\d+(?:[-.:]\d+)*|(?=\D*\d)(?:[\da-f]{8,}|[\w-]{16,}))$/i;

type Named = Pick<TrafficEntry, "address" | "target">;

/** Filters ask at every tick, for thousands of requests. */
const known = new WeakMap<Named, string>();

/**
 * The host and the path of a request, with `:id` for parts that name one thing of many; `""` without a target.
 * What would end a term of the filter is percent-encoded.
 */
export function routeOf(entry: Named): string {
  const found = known.get(entry);
  if (found !== undefined) return found;
  const { host, path } = splitAddress(entry.address, entry.target);
  const folded = path.split("/").map((part) => (ID.test(part) ? ":id" : part)).join("/");
  const route = (host + folded).replace(/[\s,"]/g, encodeURIComponent);
  known.set(entry, route);
  return route;
}

/** The host, the path and the query of a request. Without an address there is a host at most. */
export function splitAddress(
  address: string | undefined,
  target = "",
): { host: string; path: string; query: string } {
  const [, host = target, path = "", query = ""] = /^\w+:\/\/([^/?#]*)([^?#]*)(.*)/s.exec(address ?? "") ??
    [];
  return { host, path, query };
}
