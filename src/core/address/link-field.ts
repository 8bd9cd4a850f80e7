/**
 * Maps the links in a target's `Link` field to addresses on the proxy, so that a program that pages through them stays on
 * the proxy.
 * @module
 */

import { encodeBytes } from "./address.ts";
import { type AddressMapping, isInsideTarget, mapLocation } from "./location.ts";
import { parseUrl } from "./url.ts";

/** One link of the list: what is before its reference, the reference, and `>` with the parameters (RFC 8288 §3). */
const LINK = /((?:^|,)[\t ,]*<)([^<>]*)(>[\t ]*(?:;(?:[^",<>]|"(?:[^"\\]|\\.)*")*)?)/y;
const EMPTY_MEMBERS = /^[\t ,]*$/;

/**
 * Maps references into the target itself as in `Location`. Everything else stays byte for byte: links to another origin
 * or outside the base path, other schemes, parameters (`anchor` too), and a value that is malformed anywhere.
 *
 * @param value one line, or several that were joined by commas
 * @see RFC 8288 §3, RFC 9110 §5.6.1 (empty members)
 */
export function mapLinks(value: string, mapping: AddressMapping): string {
  if (mapping.selector === "arg") return value;
  let mapped = "";
  let end = 0;
  for (let link = readLink(value, end); link; link = readLink(value, end)) {
    const [whole, start = "", reference = "", rest = ""] = link;
    mapped += start + mapReference(reference, mapping) + rest;
    end += whole.length;
  }
  const tail = value.slice(end);
  return EMPTY_MEMBERS.test(tail) ? mapped + tail : value;
}

function readLink(value: string, start: number): RegExpExecArray | null {
  LINK.lastIndex = start;
  return LINK.exec(value);
}

/**
 * A link to another origin stays: unlike a redirect, it is not followed automatically, and it must not lead a browser
 * elsewhere.
 */
function mapReference(reference: string, mapping: AddressMapping): string {
  if (!isInsideTarget(reference, mapping)) return reference;
  const mapped = mapLocation(reference, mapping);
  const { requestUrl, proxyOrigin } = mapping;
  if (!parseUrl(proxyOrigin)) return mapped;
  const base = new URL(mapLocation(requestUrl, mapping), proxyOrigin);
  const written = encodeBytes(reference);
  // Below a base path `next` is already correct.
  const isRight = parseUrl(written, base)?.href === new URL(mapped, base).href;
  return isRight ? reference : mapped;
}
