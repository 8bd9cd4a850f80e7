/**
 * Which fields an entry may set and remove: none that frame or encode a message, and none of the proxy's own.
 * @module
 */

import { isHopByHop, isSteering, isToken } from "../../../core/http/headers.ts";

/** Fields that frame or encode a message, or that describe how (RFC 9110 §8.4, §8.6; RFC 9112 §6; RFC 6455 §11.3). */
const FRAMING = /^(?:host|content-length|content-encoding|content-range|sec-websocket-.*)$/;
/** Headers that the proxy itself writes or reads. */
const OWN = /^(?:cdn-loop|via|x-final-url|x-fetchvia-.*|proxy_.*)$/;

/** True for a field that an entry may set and remove. Takes the name in any case. */
export function isChangeable(name: string): boolean {
  const lowered = name.toLowerCase();
  return isToken(lowered) && !isHopByHop(lowered) && !isSteering(lowered) && !FRAMING.test(lowered) &&
    !OWN.test(lowered);
}

/** Describes the fields that `isChangeable` accepts, for messages. */
export const CHANGEABLE = "a field that neither frames nor encodes a message and is not the proxy's own";
