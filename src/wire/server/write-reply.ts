/**
 * Writes a reply to a caller's connection.
 * @module
 */

import { discard, isStreaming } from "../../core/http/body.ts";
import { answerError, toProxyError } from "../../core/http/error.ts";
import type { Interim } from "../../core/interim.ts";
import type { FlowBody } from "../../core/http/flow.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { CallerWire } from "../contract.ts";
import { type BodyEvents, BodySink } from "./body-sink.ts";
import type { ReceivedRequest } from "./received-request.ts";
import { type Ending, formatInterim, formatResponse, joinHead } from "./response-head.ts";

/** Longer bodies are not copied into one buffer with their head: that costs more than a system call. */
const JOINED_BYTES = 4_096;
/** No interim response is written while more than this many bytes are unsent. */
const MAX_UNSENT_BYTES = 65_536;

/** The listener of a reply. */
export interface ReplyEvents extends BodyEvents {
  /** The body ends with the connection, so this response is the last one. */
  onLast(): void;
}

/**
 * Writes the head, and the body with it or after it.
 *
 * @param isLast true if the connection ends after this reply
 * @returns the sink of a streamed body; `undefined` if the whole body has been written
 */
export function writeReply(
  wire: CallerWire,
  reply: Reply,
  request: ReceivedRequest,
  isLast: boolean,
  events: ReplyEvents,
): BodySink | undefined {
  const { body } = reply;
  let head;
  try {
    head = formatResponse(reply, request, isLast);
  } catch (error) {
    discard(body);
    return writeReply(wire, answerError(toProxyError(error), "Proxy Error"), request, isLast, events);
  }
  const { text, ending, hasBody } = head;
  if (ending === "closed") events.onLast();
  if (isStreaming(body) && hasBody) {
    return streamReply(wire, text, body, ending, events);
  }
  if (!hasBody || body === null || isStreaming(body) || body.length === 0) {
    wire.write(text, "latin1");
    discard(body);
  } else if (body.length <= JOINED_BYTES) wire.write(joinHead(head, body));
  else {
    wire.cork();
    wire.write(text, "latin1");
    wire.write(body);
    wire.uncork();
  }
  events.onWhole();
  return undefined;
}

/** Writes an interim response. False while too many bytes are unsent, and for a malformed response. */
export function writeInterim(wire: CallerWire, interim: Interim): boolean {
  if (wire.writableLength > MAX_UNSENT_BYTES) return false;
  try {
    wire.write(formatInterim(interim), "latin1");
    return true;
  } catch {
    // Nobody waits for an interim response, so a malformed one is dropped.
    return false;
  }
}

/** Body bytes that have already arrived are sent with the head. */
function streamReply(
  wire: CallerWire,
  head: string,
  body: FlowBody,
  ending: Ending,
  events: ReplyEvents,
): BodySink {
  let isCorked = true;
  const uncork = () => {
    if (isCorked) wire.uncork();
    isCorked = false;
  };
  wire.cork();
  wire.write(head, "latin1");
  // The connection may end in either callback, so nothing may still be held back by the cork.
  const sink = new BodySink(wire, body, ending, {
    onWhole() {
      uncork();
      events.onWhole();
    },
    onCut() {
      uncork();
      if (ending === "closed") wire.cut();
      events.onCut();
    },
  });
  body.pipe(sink);
  uncork();
  return sink;
}
