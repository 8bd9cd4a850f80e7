/**
 * The body of a request or response. The core uses only this form; entries convert all others.
 * @module
 */

import { FlowBody } from "./flow.ts";
import type { FlowReader } from "./flow-reader.ts";
import type { BodyWatch } from "./flow-watch.ts";
import { concat } from "./concat.ts";

/**
 * A body: bytes in memory, a stream of chunks, or `null` for none. Only the package's own entries make a `FlowBody`;
 * pass in a web stream instead.
 */
export type Body = Uint8Array<ArrayBuffer> | FlowBody | null;

/** How many chunks are kept as they are before they are joined. */
const MOST_RECENT = 1_024;

/** True for a body that is not in memory yet. */
export function isStreaming(body: Body): body is FlowBody {
  return body instanceof FlowBody;
}

/** A body in the form that standard functions accept. */
export type StandardBody = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null;

/** Converts a body to the form that standard functions accept. */
export function toStandard(body: Body): StandardBody {
  return isStreaming(body) ? body.stream() : body;
}

/** Discards a body, so that its sender can stop. */
export function discard(body: Body): void {
  if (isStreaming(body)) body.cancel();
}

/**
 * Watches a body: a failure cancels the source, and the reader sees an error, never a clean end. Returns the same body.
 */
export function watchBody(body: FlowBody, watch: BodyWatch): FlowBody {
  body.watch(watch);
  return body;
}

/**
 * Reads a body to its end; rejects if it is cut. The watch of the body sets the limits.
 *
 * @param check a limit beside them: is told how many bytes are there, and throws if they are too many
 */
export function readWhole(
  body: FlowBody,
  check?: (size: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const joined: Uint8Array[] = [];
  const recent: Uint8Array[] = [];
  let size = 0;
  const join = () => concat([...joined, ...recent], size);
  return new Promise((resolve, reject) => {
    const reader: FlowReader = {
      take(chunk, isLast) {
        size += chunk.length;
        try {
          check?.(size);
        } catch (failure) {
          reject(failure);
          body.cancel();
          return true;
        }
        // A million chunks of one byte would take a hundred times their memory.
        if (recent.push(chunk) === MOST_RECENT) {
          joined.push(concat(recent, recent.reduce((sum, { length }) => sum + length, 0)));
          recent.length = 0;
        }
        if (isLast) resolve(join());
        return true;
      },
      end: (failure) => failure ? reject(failure) : resolve(join()),
    };
    body.attach(reader);
    body.want();
  });
}
