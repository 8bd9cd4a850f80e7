/**
 * The targets that `url`, `at` and `arg` name, for requests and for the explanations of `/__proxy__/explain`.
 * @module
 */

import { decodeAddress } from "../address/address.ts";
import { readBaseOf } from "../who/host-selectors.ts";
import { findAddressFault } from "../address/fault.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import { isLedTo } from "../may/private-targets.ts";
import type { Incoming } from "../runtime.ts";
import { isLook, isUpgrade } from "../http/headers.ts";
import { cannotUse } from "../http/error.ts";
import { toHttp } from "../way/handshake.ts";
import { type Argument, DEFAULT_USER_AGENT } from "./argument/argument.ts";

/**
 * The target in `url`.
 *
 * @param text the address; `null` if its percent-encoding is malformed
 * @throws {ProxyError} `bad_request` for anything but an absolute http or https address
 */
export function readUrlTarget(exchange: Exchange, text: string | null): Target {
  const { headers, method, body } = exchange.incoming;
  const written = text !== null && isUpgrade(headers) ? toHttp(text) : text;
  const address = written === null ? undefined : decodeAddress(written);
  if (!address) {
    const fault = written === null ? "has malformed percent-encoding" : findAddressFault(written);
    const place = exchange.form?.place ?? "parameter url";
    throw cannotUse(place, `it ${fault}`, "an absolute http or https address");
  }
  // A streamed body can't be sent twice.
  const follow = isLook(method) && body === null;
  const isUnasked = !(isLook(method) && address.authorization === undefined) && isLedTo(exchange, address);
  return { ...address, selector: "url", basePath: "", isUnasked, follow };
}

const EXPECTED = "one such as example-com/";
/** Label and path of `/__proxy__/at/<label>/…`. */
const PLACE = /^(\/__proxy__\/at\/([^/?]*))(\/?.*)$/s;

/**
 * The target of `/__proxy__/at/<label>/…`. Redirects are passed on: a client resolves links against the address that it
 * asked for, and one that was followed unseen would have another base (rule 20.4).
 *
 * @throws {ProxyError} `bad_request` for a label that names no host, and without the slash behind it
 */
export function readAtTarget(exchange: Exchange): Target {
  const { path, config, incoming: { method } } = exchange;
  const [, place = "", label = "", rest = ""] = PLACE.exec(path) ?? [];
  const culprit = "the label in /__proxy__/at/<label>/";
  if (label === "") throw cannotUse(culprit, "it is empty", EXPECTED);
  const base = readBaseOf(label, culprit, config);
  if (!rest.startsWith("/")) throw cannotUse(culprit, "it has no slash behind it", EXPECTED);
  const isUnasked = !isLook(method) && isLedTo(exchange, base);
  return {
    selector: "at",
    origin: base.origin,
    basePath: base.path,
    path: base.path + rest,
    place,
    isUnasked,
  };
}

/**
 * The target in an `arg`.
 *
 * @param hasSaidYes true if the user has confirmed exactly this request
 */
export function readArgTarget(exchange: Exchange, argument: Argument, hasSaidYes: boolean): Target {
  const { address, redirect } = argument;
  const isUnasked = !hasSaidYes && !isPlain(argument) && isLedTo(exchange, address);
  return { ...address, selector: "arg", basePath: "", isUnasked, follow: redirect === "follow" };
}

/** The exchange with the request that an argument describes. The steps never see the caller's own fields. */
export function describeRequest(
  exchange: Exchange,
  { method, headers, body }: Argument,
): Exchange & { described: Incoming } {
  const { incoming } = exchange;
  if (body) headers.set("content-length", String(body.length));
  // `CDN-Loop` is not the caller's own field, and loops must be detected here too (RFC 8586 §2).
  const visited = incoming.headers.get("cdn-loop");
  if (visited !== null) headers.append("cdn-loop", visited);
  return { ...exchange, described: { url: incoming.url, signal: incoming.signal, method, headers, body } };
}

/** True for a plain GET, like an ordinary link. */
function isPlain({ method, headers, body, address }: Argument): boolean {
  const own = [...headers].filter(([name, value]) => name !== "user-agent" || value !== DEFAULT_USER_AGENT);
  return method === "GET" && own.length === 0 && body === null && address.authorization === undefined;
}
