/**
 * Adapts a readable of `node:stream` to a body.
 * @module
 */

import type { Readable } from "node:stream";
import { FlowBody } from "../../http/flow.ts";

/**
 * Makes the body. It reads nothing before it is read itself.
 *
 * @param cancel what happens when nobody wants the rest
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

/** A message that has been parsed to its end has nothing more to come: its end goes out with its last bytes. */
function isLast(readable: Readable): boolean {
  return (readable as { complete?: boolean }).complete === true && readable.readableLength === 0;
}
