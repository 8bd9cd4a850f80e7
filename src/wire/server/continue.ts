/**
 * Answers a caller that waits for a 100 before it sends its body.
 * @module
 * @see RFC 9110 §10.1.1, §15.2.1
 */

import type { FieldReader } from "../../core/http/fields.ts";
import type { CallerWire } from "../contract.ts";
import type { Continuation } from "../../core/interim.ts";

/** A request that may still wait. */
interface Waiting extends Pick<Continuation, "onContinue"> {
  /** Ends the wait; true if there was one until now. */
  endWait(): boolean;
}

/** True if the headers ask for a 100. */
export function asksContinue(headers: FieldReader): boolean {
  return headers.get("expect")?.toLowerCase() === "100-continue";
}

/** Tells a caller that still waits to send its body. */
export function answerContinue(wire: CallerWire, request: Waiting): void {
  if (!request.endWait()) return;
  wire.write("HTTP/1.1 100 Continue\r\n\r\n", "latin1");
  request.onContinue?.();
}
