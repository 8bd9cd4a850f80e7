/**
 * Writes and reads streams of bytes with and without pauses.
 * @module
 */
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { bytesOf, StreamReader } from "./alphabet.ts";

/** Pieces in turn: some small, some larger than what one read takes. */
const PIECES = [1, 700, 16_384, 3_001, 65_536, 131_073];
const PAUSE_MS = 2;
/** After so many pauses a slow one goes on without. */
const MAX_PAUSES = 6;

/** Writes the first bytes of a stream, as fast as they are taken. */
export async function pour(to: Writable, stream: number, size: number): Promise<void> {
  for (let from = 0, turn = stream; from < size && !to.destroyed; turn += 1) {
    const chunk = bytesOf(stream, from, Math.min(size - from, PIECES[turn % PIECES.length]!));
    from += chunk.length;
    if (!to.write(chunk)) await drained(to);
  }
}

async function drained(to: Writable): Promise<void> {
  const stop = new AbortController();
  const events = ["drain", "close", "error"].map((name) => once(to, name, { signal: stop.signal }));
  await Promise.race(events).catch(() => {});
  stop.abort();
  await Promise.allSettled(events);
}

/** Reads a stream to its end, however it ends; slowly where that is asked for. */
export async function drink(from: Readable, reader: StreamReader, isSlow: boolean): Promise<void> {
  let pauses = 0;
  try {
    for await (const chunk of from) {
      reader.take(chunk as Buffer);
      if (isSlow && ++pauses <= MAX_PAUSES) await sleep(PAUSE_MS);
    }
  } catch {
    // A cut body; how much came of it is the reader's to say.
  }
}

/** Cuts a connection: by a reset, where it is plain. Node has none by TLS. */
export function cutOff(socket: Socket | null): void {
  if ((socket as TLSSocket | null)?.encrypted) socket?.destroy();
  else socket?.resetAndDestroy();
}
