/**
 * Adds the client's address to a runtime.
 * @module
 */

import type { Runtime } from "../../core/runtime.ts";
import { memoize } from "../../core/http/memo.ts";

/**
 * Returns a function that adds a client's address to the runtime. All requests of a client share one object, because a
 * new one takes 1.2 µs on Node (20).
 */
export function bindClientAddress(runtime: Runtime): (clientAddress: string) => Runtime {
  return memoize((clientAddress) => ({ ...runtime, clientAddress }));
}
