/**
 * Answers a caller that waits for a 100 before it sends its body.
 * @module
 * @see RFC 9110 §10.1.1, §15.2.1
 */

import type { CallerWire } from "../contract.ts";
import type { ReceivedRequest } from "./received-request.ts";

/** Tells a caller that still waits to send its body. */
export function answerContinue(wire: CallerWire, request: ReceivedRequest): void {
  if (!request.endWait()) return;
  wire.write("HTTP/1.1 100 Continue\r\n\r\n", "latin1");
  request.onContinue?.();
}
