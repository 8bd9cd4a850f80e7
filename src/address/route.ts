/**
 * The route of a connection: what is asked of it beyond the target's address.
 * @module
 */

import { decodeUpstreamProxy, type UpstreamProxy } from "./upstream-proxy.ts";

/**
 * How a connection to a target is made, where it is not made directly. The same object stands for the same route, so
 * connections are reused within one object only.
 */
export interface Route {
  /** The proxy that is asked for a tunnel; absent for none. */
  readonly upstream?: UpstreamProxy;
}

/**
 * The routes of targets by their scheme; `undefined` for direct ones.
 *
 * @internal
 */
export interface Routes {
  readonly http: Route | undefined;
  readonly https: Route | undefined;
}

/** The route through the proxy at an address, the same for both schemes; `undefined` when it is no address of a proxy. */
export function decodeRoutes(text: string): Routes | undefined {
  const upstream = decodeUpstreamProxy(text);
  const route = upstream && { upstream };
  return route && { http: route, https: route };
}
