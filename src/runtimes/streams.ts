/**
 * Writes web streams to sinks, with back-pressure and without losing an end.
 * @module
 */

import type { Sink } from "./flow-body.ts";

/**
 * Writes a web stream into a sink and ends it. A source that fails destroys it, so that what was written looks
 * incomplete; a sink that closes early cancels the source.
 */
export async function writeStream(source: ReadableStream<Uint8Array>, sink: Sink): Promise<void> {
  const reader = source.getReader();
  let wake: (() => void) | undefined;
  let isClosed = false;
  sink.on("drain", () => wake?.());
  sink.on("close", () => {
    isClosed = true;
    wake?.();
    reader.cancel().catch(() => {});
  });
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (isClosed) return;
      if (sink.write(read.value) === false) await new Promise<void>((resolve) => (wake = resolve));
    }
    if (!isClosed) sink.end();
  } catch (error) {
    sink.destroy(error instanceof Error ? error : new Error("cut"));
  }
}
