/**
 * Facts about the caller: requested host, scheme, and address.
 * @module
 */

import { dropDefaultPort, isOriginOf } from "../address/authority.ts";
import { cannotUse } from "../http/error.ts";
import type { FieldReader } from "../http/fields.ts";
import { isUpgrade } from "../http/headers.ts";
import { type Cidr, isInCidr, normalizeAddress } from "../address/ip.ts";
import { MANY, memoize } from "../http/memo.ts";
import { describeValue } from "../settings/option-values.ts";
import type { Incoming, Runtime } from "../runtime.ts";

/** Facts about the caller that the steps share. */
export interface Caller {
  /** The Host header as sent; the authority of the address if there is none (HTTP/2); `""` when unknown. */
  host: string;
  /** The origin under which the caller reaches the proxy, such as `http://127.0.0.1:8080`. */
  origin: string;
  /** True when the caller came over https. */
  isSecure: boolean;
  /** The caller's IP address without brackets; `""` when unknown. */
  address: string;
  /** True for a browser: it sends Fetch Metadata, or at least `Origin` with a WebSocket handshake. */
  isBrowser: boolean;
  /** True if the request has the `Origin` of a page. */
  hasOrigin: boolean;
  /** True for a page of another site. Fetch Metadata decides; without it, an `Origin` other than the proxy's own. */
  isForeign: boolean;
}

// RFC 3986 §3.2.2 without `,` and `;`: a comma would make two hosts, and a semicolon or `"` would end the value in
// Forwarded (RFC 7239 §4). Each byte beyond ASCII is one character.
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~%!$&'()*+=\u0080-\u00ff-]+)(?::(\d{0,5}))?$/;
const MAX_PORT = 65_535;

/**
 * Reads the facts about the caller from the connection, or from a trusted front proxy.
 *
 * @throws {ProxyError} `bad_request` when the Host header is malformed (RFC 9112 §3.2)
 */
export function readCaller(incoming: Incoming, runtime: Runtime, trusted: readonly Cidr[] = []): Caller {
  const { headers, url } = incoming;
  const host = readHost(incoming);
  if (host && !isHost(host)) {
    // The server joins two Host fields, and one to the host of an absolute address that is another.
    const fault = host.includes(",") ? "the request names more than one host" : "it is malformed";
    throw cannotUse("header host", fault, "host[:port]");
  }
  const peer = readPeer(runtime);
  const field = isTrustedProxy(peer, trusted) ? headers.get("x-forwarded-proto") : undefined;
  const proto = field?.split(",").at(-1)?.trim();
  // Some front proxies name the scheme of a WebSocket.
  const isSecure = proto ? /^(?:https|wss)$/i.test(proto) : url.startsWith("https:");
  const address = readForwarded(headers, peer, trusted);
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  return {
    host,
    origin: dropDefaultPort(`${isSecure ? "https" : "http"}://${host}`),
    isSecure,
    address,
    isBrowser: site !== null || (origin !== null && isUpgrade(headers)),
    hasOrigin: origin !== null,
    isForeign: site === null
      ? origin !== null && !isOriginOf(host, origin)
      : site !== "same-origin" && site !== "none",
  };
}

/** Cached, because the same few hosts come with every request. */
const isHost = memoize((host) => {
  const [found, port = ""] = HOST.exec(host) ?? [];
  return found !== undefined && Number(port) <= MAX_PORT;
}, MANY);

/** Reads only the caller's IP address, even from malformed requests; `""` when unknown. */
export function readCallerAddress(headers: FieldReader, runtime: Runtime, trusted: readonly Cidr[]): string {
  return readForwarded(headers, readPeer(runtime), trusted);
}

/** Fields that front proxies add. */
const FRONT = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|cf-connecting-ip|true-client-ip)$/;
/** Their first letters: a fast check, because it runs for every field of a request to a private target. */
const FRONT_LETTERS = "fvxct";

/** True if a field says that the request came through a front proxy. */
export function namesFront(headers: FieldReader): boolean {
  let isFound = false;
  headers.forEach((_, name) => {
    if (FRONT_LETTERS.includes(name.charAt(0))) isFound ||= FRONT.test(name);
  });
  return isFound;
}

/** The address of the connection; `""` when unknown. */
export function readPeer({ clientAddress }: Runtime): string {
  // Some servers say `null` where they don't know it.
  const address: unknown = clientAddress ?? "";
  if (typeof address !== "string") {
    throw new TypeError(
      `clientAddress is ${describeValue(address)}, expected an address such as "192.0.2.1"`,
    );
  }
  return address.includes(":") ? normalizeAddress(address) : address;
}

/** The last address in `X-Forwarded-For` that is not a trusted proxy: all before it may be forged, and is not read. */
function readForwarded(headers: FieldReader, peer: string, trusted: readonly Cidr[]): string {
  if (!isTrustedProxy(peer, trusted)) return peer;
  const chain = (headers.get("x-forwarded-for") ?? "").split(",");
  let address = peer;
  for (const entry of chain.reverse()) {
    const read = normalizeAddress(dropPort(entry.trim()));
    if (!read) break;
    address = read;
    if (!isTrustedProxy(read, trusted)) break;
  }
  return address;
}

/** Some front proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function dropPort(entry: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([^:]+):\d+$/.exec(entry)?.[1] ?? entry;
}

/** True for the address of a trusted front proxy. */
export function isTrustedProxy(address: string, trusted: readonly Cidr[]): boolean {
  return address !== "" && trusted.some((cidr) => isInCidr(address, cidr));
}

/** The Host header; without one the authority of the address, as with HTTP/2; `""` if there is neither. */
export function readHost({ headers, url }: Pick<Incoming, "headers" | "url">): string {
  return headers.get("host") ?? /^https?:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
}
