/**
 * What a runtime lends to the requests of one client.
 * @module
 */

import type { Runtime } from "../../exchange/runtime.ts";
import { memoize } from "../../http/memo.ts";

/**
 * Adds the address of a client to what the runtime lends. All requests of a client get the same object: Node (20) takes
 * 1.2 µs for a new one.
 */
export function bindClientAddress(runtime: Runtime): (clientAddress: string) => Runtime {
  return memoize((clientAddress) => ({ ...runtime, clientAddress }));
}
