/**
 * The route of a connection: how it is made, beyond the target's address.
 * @module
 */

import { decodeUpstreamProxy, type UpstreamProxy } from "./upstream-proxy.ts";

/** The versions of TLS, oldest first, as `node:tls` names them. */
export const TLS_VERSIONS = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const;

/** How the connection to a target is secured; absent members mean the usual way. */
export interface TargetTls {
  /** PEM text of authorities, in addition to the usual ones. */
  readonly ca?: string;
  /** Digests of public keys, `sha256/<base64>`; one of them must match, in addition to the usual check. */
  readonly pin?: readonly string[];
  /** PEM texts of the client's certificate and key. */
  readonly cert?: string;
  readonly key?: string;
  /** The name that the certificate must hold, also sent as SNI (RFC 6066 §3). */
  readonly serverName?: string;
  /** True to check nothing but the pins. */
  readonly insecure?: boolean;
  /** The oldest version that is allowed: TLS 1.2 if absent (RFC 8996). */
  readonly minVersion?: (typeof TLS_VERSIONS)[number];
}

/**
 * How a connection to a target is made, if not in the usual way. Each route is one object, and connections are reused only
 * for requests with the same object.
 */
export interface Route {
  /** The proxy that is asked for a tunnel; absent for none. */
  readonly upstream?: UpstreamProxy;
  /** How the connection is secured; the usual way if absent, and for a target without TLS. */
  readonly tls?: TargetTls;
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
