/**
 * The methods and paths that an entry of the table allows (rule 8.3).
 * @module
 */

import type { Address } from "../../core/address/address.ts";
import { isBelow } from "../../core/address/path-prefix.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { Entry } from "./targets/entry.ts";

/**
 * Refuses methods and paths that the entry does not allow. Whether the target itself is allowed is decided earlier.
 *
 * @throws {ProxyError} `forbidden`
 */
export function checkRules(entry: Entry | undefined, method: string, { origin, path }: Address): void {
  if (entry?.methods && !entry.methods.includes(method)) {
    throw refusal(`method ${method} is not allowed for ${origin.host}`, `methods of ${entry.name}`);
  }
  if (entry?.paths && !isBelow(entry.paths, path)) {
    throw refusal(`this path is not allowed for ${origin.host}`, `paths of ${entry.name}`);
  }
}

function refusal(state: string, member: string): ProxyError {
  return new ProxyError(
    "forbidden",
    `Cannot send this request: ${state}. The table of targets has it in ${member}`,
  );
}
