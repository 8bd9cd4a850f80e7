/**
 * A readable of `node:stream` as a body.
 * @module
 */

import type { Readable } from "node:stream";
import { FlowBody } from "../index.ts";

/** How a readable is treated. */
export interface ReadableOptions {
  /** Tells at a clean end whether the bytes were cut all the same. */
  failure?(): Error | undefined;
  /** What happens when nobody wants the rest; by default the readable is destroyed. */
  cancel?(): void;
}

/** Makes the body; nothing is read before somebody reads it. */
export function createBody(readable: Readable, { failure, cancel }: ReadableOptions = {}): FlowBody {
  let isFlowing = false;
  const body = new FlowBody({
    pause: () => void readable.pause(),
    resume() {
      if (!isFlowing) flow();
      isFlowing = true;
      readable.resume();
    },
    cancel: cancel ?? (() => void readable.destroy()),
  });
  const flow = () => {
    readable.on("data", (chunk: Uint8Array) => body.push(chunk, isLast(readable) && !failure?.()));
    readable.once("end", () => body.end(failure?.()));
    readable.once("error", (error) => body.end(error));
    readable.once("close", () => body.end(new Error("closed before its end")));
    if (readable.destroyed) body.end(readable.errored ?? new Error("closed before its end"));
  };
  // A failure that comes before anyone reads must not take the process along; readers see it all the same.
  readable.on("error", () => {});
  return body;
}

/** A message that has been parsed to its end has nothing more to come: its end goes out with its last bytes. */
function isLast(readable: Readable): boolean {
  return (readable as { complete?: boolean }).complete === true && readable.readableLength === 0;
}
