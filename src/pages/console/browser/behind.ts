/**
 * Addresses behind an origin of the proxy: which of them the target gets there as the console sends them.
 * @module
 */

import { decodeAddress } from "../../../address/address.ts";
import { isReserved } from "../../../address/reserved-paths.ts";

/**
 * Why an address would be another one there.
 *
 * @param path what of it is asked for there
 * @returns `undefined` where it stays what it is
 */
export function findObstacle(address: string, path: string): string | undefined {
  const { pathname, search } = new URL(address);
  const target = decodeAddress(address);
  // The console sends it byte for byte; browsers and curl take dot segments out, and write some characters otherwise.
  if (target?.path !== pathname + search) return "Browsers and curl would change this path";
  if (target.authorization) return "There is no place for user and password";
  return isReserved(path) ? "The proxy answers /__proxy__/ itself" : undefined;
}
