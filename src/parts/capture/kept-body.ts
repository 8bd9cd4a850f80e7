/**
 * The captured part of a body: its first bytes, and how many bytes passed in total.
 * @module
 */

import type { BodyTap } from "../../core/http/flow-watch.ts";
import type { Reply } from "../../core/http/reply.ts";
import { toBinary } from "./binary.ts";
import type { CapturedBody, FieldLine } from "./capture.ts";
import type { KeyGuard } from "./key-guard.ts";
import type { Memory } from "./message-log.ts";

/** Rough overhead of a part in bytes, in addition to its text: a target may send each byte by itself. */
const PART_BYTES = 100;
/** Most parts whose time is kept, and the memory of one. */
const MOST_ARRIVALS = 1_000;
const ARRIVAL_BYTES = 32;

/** Why some bodies are not kept. */
const OWN_PAGE = "it is a page of the proxy itself";
const ENCODED = "a key of the table went out with the request, and the body is encoded";

/**
 * Why the body of a response is not kept; `undefined` if it is.
 *
 * @param isOwn true if no target sent it
 * @param hadKey true if a key of the table went out with the request
 */
export function findWithheld(
  { status, headers }: Pick<Reply, "status" | "headers">,
  { isOwn, hadKey }: { isOwn: boolean; hadKey: boolean },
): string | undefined {
  const isFault = status >= 400 && headers.get("content-type") === "application/json";
  const isEncoded = hadKey && (headers.get("content-encoding") ?? "identity") !== "identity";
  return isOwn && !isFault ? OWN_PAGE : isEncoded ? ENCODED : undefined;
}

/** True for a stream of events (HTML §9.2), of which it matters when each arrived. */
export function hasEvents(headers: readonly FieldLine[] = []): boolean {
  return headers.some(([name, value]) =>
    name.toLowerCase() === "content-type" && /^\s*text\/event-stream\b/i.test(value)
  );
}

/** Keeps the first bytes of one body. Copies them, because a slice of a chunk would keep the whole chunk in memory. */
export class KeptBody implements BodyTap {
  readonly #limit: number;
  readonly #memory: Pick<Memory, "take">;
  readonly #onOver: (() => void) | undefined;
  readonly #now: (() => number) | undefined;
  readonly #arrivals: [bytes: number, atMs: number][] = [];
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #size = 0;
  #isOver = false;
  #withheld: string | undefined;

  /**
   * @param limit maximum bytes to keep
   * @param now milliseconds since the request arrived; absent if it does not matter when parts arrive
   * @param withheld why no bytes may be kept
   * @param onOver called once when the body has ended
   */
  constructor(
    limit: number,
    memory: Pick<Memory, "take">,
    now: (() => number) | undefined,
    withheld?: string,
    onOver?: () => void,
  ) {
    this.#limit = withheld === undefined ? limit : 0;
    this.#memory = memory;
    this.#now = now;
    this.#withheld = withheld;
    this.#onOver = onOver;
  }

  onBytes(chunk: Uint8Array): void {
    this.#size += chunk.length;
    const room = this.#limit - this.#kept;
    if (room <= 0 || this.#withheld !== undefined) return;
    const kept = Math.min(room, chunk.length);
    const now = this.#arrivals.length < MOST_ARRIVALS ? this.#now : undefined;
    if (!this.#memory.take(kept + PART_BYTES + (now ? ARRIVAL_BYTES : 0))) {
      this.#withheld = "its memory is used up";
      return;
    }
    // `slice` of a `Buffer` does not copy.
    this.#chunks.push(new Uint8Array(chunk.subarray(0, kept)));
    this.#kept += kept;
    if (now) this.#arrivals.push([this.#size, now()]);
  }

  onEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver?.();
  }

  /** Bytes that passed so far. */
  get size(): number {
    return this.#size;
  }

  /** True once it has ended, and all of it is kept. */
  get isWhole(): boolean {
    return this.#isOver && this.#kept === this.#size && this.#withheld === undefined;
  }

  /** Drops the bytes. */
  drop(): void {
    this.#chunks = [];
    this.#withheld ??= "dropped";
  }

  /** The kept bytes as text, one character for each byte, without keys of the table. */
  readText(guard: KeyGuard | undefined): string {
    const isCut = this.#kept < this.#size || !this.#isOver;
    const text = toBinary(this.#chunks);
    return guard ? guard.cleanBody(text, isCut) : text;
  }

  /** The body as it is now. */
  read(guard: KeyGuard | undefined): CapturedBody {
    const text = this.readText(guard);
    // Counts kept bytes as shown, so that a replaced key does not make the body look cut.
    const size = this.#size - countBytes(this.#chunks) + text.length;
    const body: CapturedBody = { base64: btoa(text), size, isOver: this.#isOver };
    if (size === this.#size && this.#arrivals.length > 0) body.arrivals = [...this.#arrivals];
    if (this.#withheld !== undefined) body.withheld = this.#withheld;
    return body;
  }
}

function countBytes(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
