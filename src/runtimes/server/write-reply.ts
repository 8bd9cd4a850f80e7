/**
 * Writes a reply to a caller's connection.
 * @module
 */

import { discard, isStreaming } from "../../http/body.ts";
import { answerError, toProxyError } from "../../http/error.ts";
import type { Reply } from "../../http/reply.ts";
import type { CallerWire } from "../http1/wire.ts";
import { type BodyEvents, BodySink } from "./body-sink.ts";
import type { ReceivedRequest } from "./request.ts";
import { formatResponse, joinHead } from "./response.ts";

/** The listener of a reply. */
export interface ReplyEvents extends BodyEvents {
  /** The end of the connection is the end of the body. */
  onLast(): void;
}

/**
 * Writes the head, and the body with it or behind it.
 *
 * @param request absent for what is no request
 * @param isLast true if the connection ends with this reply
 * @returns where the body goes, if it is not here yet
 */
export function writeReply(
  wire: CallerWire,
  reply: Reply,
  request: ReceivedRequest | undefined,
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
    wire.write(text, "latin1");
    const { onWhole, onCut } = events;
    const cut = ending === "closed" ? () => wire.cut() : () => {};
    const sink = new BodySink(wire, ending, {
      onWhole,
      onCut() {
        cut();
        onCut();
      },
    });
    body.pipe(sink);
    return sink;
  }
  if (!hasBody || body === null || isStreaming(body) || body.length === 0) {
    wire.write(text, "latin1");
    discard(body);
  } else wire.write(joinHead(text, body));
  events.onWhole();
  return undefined;
}
