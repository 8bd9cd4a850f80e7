/**
 * Step 2: whether a target may be reached, and at which addresses.
 * @module
 */

import type { Address } from "./address.ts";
import { ProxyError } from "./error.ts";

/**
 * Checks an address before anything is sent.
 *
 * @returns the addresses that may be dialled, or `undefined` where nobody resolved the name
 * @throws {ProxyError} `bad_request` for a scheme other than `http` and `https`
 */
export async function checkAccess({ origin }: Address): Promise<readonly string[] | undefined> {
  if (origin.protocol !== "http:" && origin.protocol !== "https:") {
    throw new ProxyError("bad_request", `Cannot reach a ${origin.protocol} address, expected http or https`);
  }
  return undefined;
}
