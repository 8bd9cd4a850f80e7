/**
 * Reads an address in the form of another proxy, and rewrites it as the equivalent link to `/__proxy__/`, so that every
 * rule for such links applies to it too.
 * @module
 */

import { isReserved, RESERVED } from "../address/reserved-paths.ts";
import type { Config } from "../settings/config.ts";
import type { Carried } from "../who/host-selectors.ts";
import type { Exchange, Hooks } from "./exchange.ts";

/** The path to use, and the form of the path that was sent. */
export interface ReadPath extends Pick<Exchange, "path"> {
  /** `undefined` for a path in none of the forms. */
  readonly form: Exchange["form"];
}

/**
 * Reads a path. The first form that fits counts, and only if nothing else determines a target: no host selector, not even a
 * malformed one, and no default target.
 *
 * @param path path and query as sent, without the mount path
 * @see specification 4.1, whose order still applies
 */
export function readPath(
  path: string,
  { header, cookie, label }: Carried,
  { target }: Pick<Config, "target">,
  { read: readers }: Pick<Hooks, "read">,
): ReadPath {
  const isDetermined = (header ?? cookie ?? label ?? target) !== undefined;
  if (readers.length === 0 || isDetermined || isReserved(path)) return { path, form: undefined };
  for (const read of readers) {
    const written = read(path);
    if (written) {
      return { path: `${RESERVED}/?url=${encodeURIComponent(written.address)}`, form: written.form };
    }
  }
  return { path, form: undefined };
}
