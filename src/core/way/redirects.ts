/**
 * Follows the redirects of targets.
 * @module
 */

import { type Address, decodeAddress, encodeBytes, formatAddress } from "../address/address.ts";
import { discard } from "../http/body.ts";
import { ProxyError } from "../http/error.ts";
import { type FieldReader, Fields } from "../http/fields.ts";
import type { Judged, Prepared, TargetResponse } from "../exchange/exchange.ts";
import type { Upstream } from "../runtime.ts";
import { isLook } from "../http/headers.ts";
import { parseUrl } from "../address/url.ts";

/** Checks the address of a redirect, and returns the addresses that may be dialled. */
export type CheckNext = (address: Address, method: string) => Judged | Promise<Judged>;
/** The address that a target at this origin means by the one that it wrote. */
export type Claim = (written: Address, from: URL) => Address;
/** Changes the headers of a hop that leads from one origin to another. */
export type Leave = (headers: Fields, from: URL, to: URL) => void;
/** Sends one hop; `isNamed` while it goes to the origin that the caller named. */
export type SendHop = (request: Prepared, isNamed: boolean) => Promise<TargetResponse>;

/**
 * Sends a request, and follows the redirects.
 *
 * @param maxRedirects the most redirects to follow
 * @throws {ProxyError} `too_many_redirects`, and what `send` and `checkHop` throw
 */
export async function sendFollowing(
  request: Prepared,
  maxRedirects: number,
  send: SendHop,
  claim: Claim,
  checkHop: CheckNext,
  leave: Leave,
): Promise<TargetResponse> {
  let current = request;
  let isNamed = true;
  let hadKey = false;
  for (let hops = 0;; hops += 1) {
    const upstream = await send(current, isNamed);
    hadKey ||= upstream.hadKey === true;
    const written = readRedirect(upstream, current);
    if (!written) return hops ? { ...upstream, finalAddress: current, hadKey } : upstream;
    discard(upstream.body);
    if (hops >= maxRedirects) {
      throw new ProxyError(
        "too_many_redirects",
        `Too many redirects (limit ${maxRedirects})`,
      );
    }
    const next = claim(written, current.origin);
    current = await buildNextHop(current, next, upstream.status, checkHop, leave);
    isNamed &&= current.origin.origin === request.origin.origin;
  }
}

/** The address that a redirect leads to. `undefined` for other responses, and for addresses that can't be requested. */
function readRedirect(upstream: Upstream, { origin, path }: Prepared): Address | undefined {
  if (![301, 302, 303, 307, 308].includes(upstream.status)) return undefined;
  const location = encodeBytes(readLocation(upstream.headers) ?? "");
  const base = formatAddress({ origin, path });
  const url = location === "" ? undefined : parseUrl(location, base);
  if (!url) return undefined;
  const written = /^https?:\/\//i.test(location) ? location : url.href;
  return decodeAddress(written);
}

/** `Location`, if all its lines are equal. Different ones are ambiguous. */
function readLocation(headers: FieldReader): string | undefined {
  const values = new Set<string>();
  headers.forEach((value, name) => void (name === "location" && values.add(value)));
  const [location, another] = values;
  return another === undefined ? location : undefined;
}

/**
 * Builds the request of the next hop. Method and body change as in browsers; credentials do not leave their origin.
 *
 * @see Fetch §4.4 (HTTP-redirect fetch), RFC 9110 §15.4
 */
async function buildNextHop(
  request: Prepared,
  { origin, path }: Address,
  status: number,
  checkHop: CheckNext,
  leave: Leave,
): Promise<Prepared> {
  const headers = new Fields(request.headers);
  headers.set("host", origin.host);
  if (origin.origin !== request.origin.origin) {
    for (const name of CREDENTIALS) headers.delete(name);
    leave(headers, request.origin, origin);
  }
  const becomesGet = status === 303
    ? !isLook(request.method)
    : (status === 301 || status === 302) && request.method === "POST";
  if (becomesGet) { for (const name of BODY_FIELDS) headers.delete(name); }
  const method = becomesGet ? "GET" : request.method;
  const addresses = await checkHop({ origin, path }, method);
  return {
    ...request,
    isStray: request.isStray || origin.origin !== request.origin.origin,
    method,
    origin,
    path,
    headers,
    body: becomesGet ? null : request.body,
    addresses,
  };
}

const CREDENTIALS = ["authorization", "cookie", "cookie2"];
const BODY_FIELDS = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-type",
];
