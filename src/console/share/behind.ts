/**
 * Checks whether a target's address stays the same when it is opened at an origin of the proxy.
 * @module
 */

import { decodeAddress } from "../../core/address/address.ts";
import { isReserved } from "../../core/address/reserved-paths.ts";

/**
 * Says why an address would change there.
 *
 * @param path the path and query requested there
 * @returns `undefined` if it stays the same
 */
export function findObstacle(address: string, path: string): string | undefined {
  const { pathname, search } = new URL(address);
  const target = decodeAddress(address);
  // The console sends it byte for byte. Browsers and curl remove dot segments, and encode some characters.
  if (target?.path !== pathname + search) return "Browsers and curl would change this path";
  if (target.authorization) return "There is no place for user and password";
  return isReserved(path) ? "The proxy answers /__proxy__/ itself" : undefined;
}
