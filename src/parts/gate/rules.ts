/**
 * The methods, paths and requests that an entry of the table allows (rules 8.3 and 8.8).
 * @module
 */

import { type Address, schemeOf } from "../../core/address/address.ts";
import { isBelow } from "../../core/address/path-prefix.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { Entry } from "./targets/entry.ts";

/**
 * Refuses methods, paths and requests that the entry does not allow. Whether the target itself is allowed is decided
 * earlier.
 *
 * @param isSocket tells whether it is the handshake of a WebSocket
 * @throws {ProxyError} `forbidden`
 */
export function checkRules(
  entry: Entry,
  method: string,
  { origin, path }: Address,
  isSocket: () => boolean,
): void {
  if (entry.methods && !entry.methods.includes(method)) {
    throw refusal(`method ${method} is not allowed for ${origin.host}`, `methods of ${entry.name}`);
  }
  if (entry.paths && !isBelow(entry.paths, path)) {
    throw refusal(`this path is not allowed for ${origin.host}`, `paths of ${entry.name}`);
  }
  if (!entry.requests) return;
  const kind = `${method} ${schemeOf(origin, isSocket())}`;
  if (isBelow(entry.requests.byKind.get(kind) ?? [], path)) return;
  throw refusal(`${kind} of this path is not allowed for ${origin.host}`, `requests of ${entry.name}`);
}

function refusal(state: string, member: string): ProxyError {
  return new ProxyError(
    "forbidden",
    `Cannot send this request: ${state}. The table of targets has it in ${member}`,
  );
}
