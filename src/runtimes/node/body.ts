/**
 * Adapts a readable of `node:stream` to a body.
 * @module
 */

import type { Readable } from "node:stream";
import { FlowBody } from "../../http/flow.ts";

/**
 * Makes the body. It reads nothing before it is read itself.
 *
 * @param cancel called when the rest is not wanted
 */
export function createBody(readable: Readable, cancel: () => void): FlowBody {
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
    readable.once("end", () => body.end());
    readable.once("error", (error) => body.end(error));
    readable.once("close", () => body.end(new Error("closed before its end")));
    if (readable.destroyed) body.end(readable.errored ?? new Error("closed before its end"));
  };
  // An early error must not end the process; readers still see it.
  readable.on("error", () => {});
  return body;
}

/** True for the last chunk of a completely parsed message, so the end is sent with the last bytes. */
function isLast(readable: Readable): boolean {
  return (readable as { complete?: boolean }).complete === true && readable.readableLength === 0;
}
