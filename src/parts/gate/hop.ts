/**
 * Tells which requests `dress.ts` must change; most are sent unchanged.
 * @module
 */

import type { Entry } from "./targets/entry.ts";
import type { Exchange, HopRequest } from "../../core/exchange/exchange.ts";

/** False if every request to this origin is sent unchanged, so that there is nothing to dress. */
export function isDressed({ table, token }: Exchange, origin: URL): boolean {
  if (token?.claims.paths || token?.claims.methods) return true;
  if (!table) return false;
  if (table.callerKeys.size > 0) return true;
  const entry = table.find(origin);
  return entry !== undefined && (changesFields(entry) || entry.setQuery.length > 0 || isNarrow(entry));
}

function isNarrow({ paths, methods }: Entry): boolean {
  return paths !== undefined || methods !== undefined;
}

/** Makes the request of a hop. Lists the members one by one, because a spread would slow every request. */
export function toHop(
  { origin, path, headers, addresses }: Omit<HopRequest, "isNamed" | "isWhole">,
  { isNamed, isWhole }: Pick<HopRequest, "isNamed" | "isWhole">,
): HopRequest {
  return { origin, path, headers, addresses, isNamed, isWhole };
}

/** True if an entry changes fields. */
export function changesFields({ set, remove, keepsHost }: Entry): boolean {
  return set.length > 0 || remove.length > 0 || keepsHost;
}
