/**
 * The handshake that opens a tunnel through an upstream proxy, and its failures. Each message names that proxy, but never its
 * credentials.
 * @module
 */

import type { UpstreamProxy } from "../../core/address/upstream-proxy.ts";
import { cannotReach, type ErrorCode, ProxyError } from "../../core/http/error.ts";
import { describeTlsFault } from "../../core/http/handshake-fault.ts";
import { mapFailure } from "../../core/http/failure.ts";
import type { Buffer } from "node:buffer";

/** The two ends of a tunnel: the upstream proxy and the target. */
export interface TunnelEnds {
  readonly upstream: UpstreamProxy;
  /** Host and port of the target, as the caller wrote them. */
  readonly target: string;
}

/** The error for a proxy that did not open a tunnel. `state` says why, and what to do. */
export function refuse(
  { upstream, target }: TunnelEnds,
  state: string,
  code: ErrorCode,
  cause?: unknown,
): ProxyError {
  const names = ["UPSTREAM_PROXY", "NO_UPSTREAM"];
  return cannotReach(code, target, `the upstream proxy ${upstream.host} ${state}`, { cause, names });
}

/** The error for a proxy that rejects the credentials, or requires credentials that are not set. */
export function refuseLogin(ends: TunnelEnds): ProxyError {
  const state = ends.upstream.login
    ? "does not accept the credentials in UPSTREAM_PROXY. Check them"
    : "asks for credentials, expected them in UPSTREAM_PROXY";
  return refuse(ends, state, "upstream_unauthorized");
}

/** The error for a proxy whose reply does not conform to its protocol. */
export function misspeak(ends: TunnelEnds, protocol: string): ProxyError {
  return refuse(ends, `does not speak ${protocol}. Check the scheme of UPSTREAM_PROXY`, "malformed_answer");
}

/** Converts a failure of the connection to the proxy, before the tunnel was open. */
export function mapTunnelFailure(failure: unknown, ends: TunnelEnds): ProxyError {
  if (failure instanceof ProxyError) return failure;
  const host = `${ends.target} through the upstream proxy ${ends.upstream.host}`;
  const error = mapFailure(failure, host, describeTlsFault);
  return error.code === "connection_terminated"
    ? refuse(ends, "closed the connection before it opened the way", error.code, failure)
    : error;
}

/** If a request timed out, the error says what it was waiting for. Any other reason is returned unchanged. */
export function explainEnd(reason: unknown, ends: TunnelEnds): unknown {
  if (!(reason instanceof ProxyError) || reason.code !== "response_timeout") return reason;
  return refuse(
    ends,
    "did not open the way in time. Check that it can reach the target",
    "connection_timeout",
  );
}

/** The handshake for one tunnel. */
export interface Handshake {
  /** The first bytes to send. */
  readonly opening: Uint8Array;
  /**
   * Takes bytes from the proxy.
   *
   * @throws {ProxyError} if the proxy refuses, or breaks its protocol
   */
  read(bytes: Buffer): Progress;
}

/** The result of reading; empty while the proxy's reply is incomplete. */
export interface Progress {
  /** Bytes to send next. */
  reply?: Uint8Array;
  /** Present once the tunnel is open: the first bytes from the target. */
  rest?: Buffer;
}
