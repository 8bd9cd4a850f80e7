/**
 * Joins the streams of `node:stream` to web streams, both ways, with back-pressure and without losing an end.
 * @module
 */

import type { Readable, Writable } from "node:stream";

const QUEUED_BYTES = 65_536;

/** What the source of a stream is like. */
export interface SourceOptions {
  /** Tells at a clean end whether the bytes were cut all the same. */
  failure?(): Error | undefined;
  /** What happens when nobody wants the rest; by default the source is destroyed. */
  cancel?(): void;
}

/** Hands on what a readable gives. An end that came too early is an error, never a clean end. */
export function streamFrom(readable: Readable, options: SourceOptions = {}): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const finish = (error?: Error | null) => {
        if (isOver) return;
        isOver = true;
        if (error) controller.error(error);
        else controller.close();
      };
      readable.on("data", (chunk: Uint8Array) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) readable.pause();
      });
      readable.once("end", () => finish(options.failure?.()));
      readable.once("error", (error) => finish(error));
      readable.once("close", () => finish(new Error("closed before its end")));
      readable.pause();
    },
    pull() {
      readable.resume();
    },
    cancel() {
      isOver = true;
      if (options.cancel) options.cancel();
      else readable.destroy();
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: QUEUED_BYTES }));
}

/**
 * Writes a web stream into a writable and ends it. A source that fails destroys it, so that what was written looks
 * incomplete; a writable that closes early cancels the source.
 */
export async function writeStream(source: ReadableStream<Uint8Array>, writable: Writable): Promise<void> {
  const reader = source.getReader();
  let wake: (() => void) | undefined;
  const onDrain = () => wake?.();
  const onClose = () => {
    wake?.();
    reader.cancel().catch(() => {});
  };
  writable.on("drain", onDrain).once("close", onClose);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (writable.destroyed) return;
      if (!writable.write(read.value)) await new Promise<void>((resolve) => (wake = resolve));
    }
    writable.end();
  } catch (error) {
    writable.destroy(error instanceof Error ? error : undefined);
  } finally {
    writable.off("drain", onDrain).off("close", onClose);
  }
}
