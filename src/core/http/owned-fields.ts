/**
 * Request fields that only the proxy sets, whatever a caller asks for: they frame the message, end at the next hop, name
 * the host, steer the proxy or detect loops.
 * @module
 */

import { isHopByHop, isSteering } from "./headers.ts";

/** `CDN-Loop` may only grow (RFC 8586 §2); the others frame the message or name its host (RFC 9112 §6, RFC 9110 §7.2). */
const OWNED: ReadonlySet<string> = new Set(["host", "content-length", "cdn-loop"]);

/**
 * True for a field that no caller may set or remove in the outgoing request. The fields of a WebSocket handshake are
 * agreed with both sides (RFC 6455 §4.1). Takes the lower-case name.
 */
export function isOwnedByProxy(name: string): boolean {
  return OWNED.has(name) || isHopByHop(name) || isSteering(name) || name.startsWith("sec-websocket-");
}

/**
 * True for a field that is left out of a described request (`arg`), because the proxy sets it itself or it ends at the
 * next hop. Takes the lower-case name.
 */
export function isLeftOut(name: string): boolean {
  return isHopByHop(name) || name === "content-length" || name === "host";
}
