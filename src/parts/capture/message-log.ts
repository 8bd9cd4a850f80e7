/**
 * The last messages of one WebSocket, bounded in number and bytes.
 * @module
 */

import { toBinary } from "./binary.ts";
import type { CapturedMessage } from "./capture.ts";
import type { KeyGuard } from "./key-guard.ts";
import type { SocketMessage } from "../../core/socket-message.ts";

/** The most messages of one WebSocket. */
export const MOST_MESSAGES = 1_000;
/** The most bytes of all its payloads. */
const MOST_BYTES = 1_048_576;
/** The most bytes of one payload. */
export const MOST_PAYLOAD = 65_536;
/** Rough overhead of a message in bytes, in addition to its payload. */
const MESSAGE_BYTES = 100;

interface Kept extends Omit<CapturedMessage, "base64" | "isCompressed"> {
  payload: Uint8Array;
  isCompressed: boolean;
}

/** Reserves memory; false if there is not enough. */
export type Reserve = (bytes: number) => boolean;

/** Memory that can be given back. */
export interface Memory {
  take: Reserve;
  give(bytes: number): void;
}

/** Keeps the last messages. */
export class MessageLog {
  readonly #limit: number;
  readonly #memory: Memory;
  #messages: Kept[] = [];
  #bytes = 0;
  #skipped = 0;

  /** @param limit the most bytes of each payload */
  constructor(limit: number, memory: Memory) {
    this.#limit = Math.min(limit, MOST_PAYLOAD);
    this.#memory = memory;
  }

  /** Notes a message. Its payload is copied. */
  add(atMs: number, { from, kind, size, payload, isCompressed, skipped }: SocketMessage): void {
    this.#skipped += skipped;
    const kept = payload.slice(0, this.#limit);
    const bytes = kept.length + MESSAGE_BYTES;
    while (this.#messages.length >= MOST_MESSAGES || this.#bytes + bytes > MOST_BYTES) this.#shift();
    while (!this.#memory.take(bytes)) {
      if (this.#messages.length === 0) {
        this.#skipped += 1;
        return;
      }
      this.#shift();
    }
    this.#bytes += bytes;
    this.#messages.push({ atMs, from, kind, size, isCompressed, payload: kept });
  }

  drop(): void {
    this.#messages = [];
  }

  /** How many messages are no longer kept. */
  get skipped(): number {
    return this.#skipped;
  }

  /** @param hadKey true if the handshake carried a key: then compressed payloads are not shown */
  read(guard: KeyGuard | undefined, hadKey: boolean): CapturedMessage[] {
    return this.#messages.map(({ payload, isCompressed, ...facts }) => {
      const text = isCompressed && hadKey ? "" : toBinary([payload]);
      const base64 = btoa(guard ? guard.cleanBody(text, payload.length < facts.size) : text);
      return { ...facts, base64, ...(isCompressed && { isCompressed }) };
    });
  }

  #shift(): void {
    const oldest = this.#messages.shift();
    if (!oldest) return;
    const bytes = oldest.payload.length + MESSAGE_BYTES;
    this.#bytes -= bytes;
    this.#skipped += 1;
    this.#memory.give(bytes);
  }
}
