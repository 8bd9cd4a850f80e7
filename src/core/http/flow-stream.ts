/**
 * Converts a body to a web stream.
 * @module
 */

import type { Flow } from "./flow-reader.ts";

/**
 * Makes the stream.
 *
 * @param aheadBytes bytes to fetch before the stream's reader asks for them
 */
export function toStream(flow: Flow, aheadBytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) =>
        flow.attach({
          take(chunk, isLast) {
            controller.enqueue(chunk);
            if (isLast) controller.close();
            return (controller.desiredSize ?? 0) > 0;
          },
          end: (failure) => failure ? controller.error(failure) : controller.close(),
        }),
      pull: () => flow.want(),
      cancel: (reason) => flow.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: aheadBytes }),
  );
}
