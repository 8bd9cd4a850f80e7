/**
 * A store in memory, bounded in number and bytes: drops the oldest entry, and ended requests before running ones.
 * @module
 */

/** The most requests that are kept. */
export const MOST_REQUESTS = 2_000;
/** Maximum share of the memory that one request may take. */
const SHARE = 1 / 4;

/** One entry of the ring. */
export interface RingEntry {
  readonly id: string;
  readonly isRunning: boolean;
  /** Called when the entry leaves the ring. */
  drop(): void;
}

/** Keeps the newest entries. */
export class Ring<Entry extends RingEntry> {
  readonly maxBytes: number;
  readonly #entries = new Map<string, { entry: Entry; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** All entries, oldest first. */
  get entries(): Entry[] {
    return [...this.#entries.values()].map(({ entry }) => entry);
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id)?.entry;
  }

  /** Adds an entry, which holds no memory yet. */
  add(entry: Entry): void {
    while (this.size >= MOST_REQUESTS) this.#dropOldest();
    this.#entries.set(entry.id, { entry, bytes: 0 });
  }

  /** Takes memory for an entry. False if there is not enough, or if the entry is no longer in the ring. */
  take(id: string, bytes: number): boolean {
    const held = this.#entries.get(id);
    if (!held || held.bytes + bytes > this.maxBytes * SHARE) return false;
    while (this.#bytes + bytes > this.maxBytes) if (!this.#dropOldest(id)) return false;
    held.bytes += bytes;
    this.#bytes += bytes;
    return true;
  }

  /** Gives memory back. */
  give(id: string, bytes: number): void {
    const held = this.#entries.get(id);
    if (!held) return;
    held.bytes -= bytes;
    this.#bytes -= bytes;
  }

  /** Drops everything. */
  clear(): void {
    for (const id of [...this.#entries.keys()]) this.drop(id);
  }

  /** Drops the oldest entry other than `butId`, ended entries first; false if there is none. */
  #dropOldest(butId?: string): boolean {
    let running: string | undefined;
    for (const [id, { entry }] of this.#entries) {
      if (id === butId) continue;
      if (!entry.isRunning) return this.drop(id);
      running ??= id;
    }
    return running !== undefined && this.drop(running);
  }

  /** Drops an entry. */
  drop(id: string): true {
    const held = this.#entries.get(id);
    this.#entries.delete(id);
    this.#bytes -= held?.bytes ?? 0;
    held?.entry.drop();
    return true;
  }
}
