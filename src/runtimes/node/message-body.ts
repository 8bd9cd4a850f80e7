/**
 * Adapts a message of `node:http` to a body.
 * @module
 */

import type { IncomingMessage } from "node:http";
import { FlowBody } from "../../core/http/flow.ts";
import { endWithTrailers } from "./message-trailers.ts";

/**
 * Makes the body. It reads nothing before it is read itself.
 *
 * @param cancel called when the rest of the body is not wanted
 */
export function createBody(readable: IncomingMessage, cancel: () => void): FlowBody {
  let isFlowing = false;
  const body = new FlowBody({
    pause: () => void readable.pause(),
    resume() {
      if (!isFlowing) flow();
      isFlowing = true;
      readable.resume();
    },
    cancel,
  });
  const flow = () => {
    readable.on("data", (chunk: Uint8Array) => body.push(chunk, isLast(readable)));
    readable.once("end", () => endWithTrailers(body, readable.rawTrailers));
    readable.once("error", (error) => body.end(error));
    readable.once("close", () => body.end(new Error("closed before its end")));
    if (readable.destroyed) body.end(readable.errored ?? new Error("closed before its end"));
  };
  body.announced = readable.headers.trailer;
  // An early error must not end the process; readers still see it.
  readable.on("error", () => {});
  return body;
}

/** True for the last chunk of a fully parsed message without trailers, so that the end is sent with the last bytes. */
function isLast({ complete, readableLength, rawTrailers }: IncomingMessage): boolean {
  return complete && readableLength === 0 && !rawTrailers?.length;
}
