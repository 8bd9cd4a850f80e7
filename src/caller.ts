/**
 * What is known of the caller: the host it asked for, how it came, and its address.
 * @module
 */

import { ProxyError } from "./error.ts";
import type { Incoming, Runtime } from "./runtime.ts";

/** Facts about the caller that the steps share. */
export interface Caller {
  /** The Host header as sent; the authority of the address where there is none (HTTP/2); `""` when unknown. */
  host: string;
  /** The origin under which the caller reaches the proxy, such as `http://127.0.0.1:8080`. */
  origin: string;
  /** True when the caller came over https. */
  isSecure: boolean;
  /** The caller's IP address without brackets; `""` when unknown. */
  address: string;
}

const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s,/?#@\\:[\]]+)(?::\d{0,5})?$/;

/**
 * Reads the caller's facts.
 *
 * @throws {ProxyError} `bad_request` when the Host header is malformed (RFC 9112 §3.2)
 */
export function readCaller(incoming: Incoming, runtime: Runtime): Caller {
  const isSecure = incoming.url.startsWith("https:");
  const host = incoming.headers.get("host") ?? readAuthority(incoming.url);
  if (host && !HOST.test(host)) {
    throw new ProxyError("bad_request", "Cannot use header host: it is malformed, expected host[:port]");
  }
  return {
    host,
    origin: `${isSecure ? "https" : "http"}://${host}`,
    isSecure,
    address: runtime.clientAddress ?? "",
  };
}

function readAuthority(url: string): string {
  return /^https?:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
}
