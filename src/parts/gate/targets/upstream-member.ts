/**
 * The member that sends a target's requests through another proxy, or past the proxy of the settings (rule 13.1).
 * @module
 */

import { classifyAddress, isLoopbackHost } from "../../../core/address/ip.ts";
import { decodeUpstreamProxy } from "../../../core/address/upstream-proxy.ts";
import { badPart, type Member, type Reading } from "./member.ts";

/** The `upstream` member. */
export const UPSTREAM_MEMBER: Member = {
  expected: "an address such as http://proxy.example.com:3128 (http, https or socks5), or direct",
  read(value, draft, { place }) {
    if (typeof value !== "string" || (value !== "direct" && !decodeUpstreamProxy(value))) return false;
    if (value !== "direct" && isInside(place)) {
      throw badPart("upstream", "direct here: loopback and private targets are reached directly");
    }
    draft.upstream = value;
    return true;
  },
};

/** True for loopback and private targets, by their names alone. */
function isInside(place: Reading["place"]): boolean {
  if (place.kind === "name") return isLoopbackHost(place.host);
  if (place.kind === "suffix") return isLoopbackHost(place.suffix.slice(1));
  return place.kind === "range" && classifyAddress(place.cidr[0].toString()) !== "public" &&
    place.cidr[1] > 0;
}
