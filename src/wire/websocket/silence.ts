/**
 * Notices WebSocket callers that vanished without closing, on connections without TCP keep-alive.
 * @module
 */

import type { Duplex } from "node:stream";
import type { ByteSide } from "./bytes.ts";

/**
 * A caller that is silent for one to two times this many milliseconds gets a ping. Without a reply in the same time it
 * is disconnected.
 */
const SILENCE_MS = 60_000;

/** Watches a connection until it closes. */
export function watchSilence(stream: Duplex, side: Pick<ByteSide, "ping">): void {
  let isSilent = false;
  let isAsked = false;
  stream.on("data", () => (isSilent = isAsked = false));
  const timer = setInterval(() => {
    if (stream.isPaused()) return;
    if (isAsked) stream.destroy();
    else if (isSilent) isAsked = side.ping();
    isSilent = true;
  }, SILENCE_MS);
  stream.once("close", () => clearInterval(timer));
}
