/**
 * The route of a connection: what is asked of it beyond the target's address.
 * @module
 */

import type { UpstreamProxy } from "./upstream-proxy.ts";

/**
 * How a connection to a target is made, where it is not made directly. The same object stands for the same route, so
 * connections are reused within one object only.
 */
export interface Route {
  /** The proxy that is asked for a tunnel; absent for none. */
  readonly upstream?: UpstreamProxy;
}

/** The routes of targets by their scheme; `undefined` for direct ones. */
export interface Routes {
  readonly http: Route | undefined;
  readonly https: Route | undefined;
}
