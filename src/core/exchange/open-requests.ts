/**
 * The requests in flight, for a server that must cut them when it stops, and for live traffic.
 * @module
 */

/** A record that can be ended before its request is over. */
export interface OpenRecord {
  cut(): void;
}

/** The records of one proxy that have not ended. A server needs them to cut them; live traffic shows them. */
export class OpenRequests {
  readonly #records = new Set<OpenRecord>();

  add(record: OpenRecord): void {
    this.#records.add(record);
  }

  delete(record: OpenRecord): void {
    this.#records.delete(record);
  }

  /** How many there are. */
  get size(): number {
    return this.#records.size;
  }

  /** The records, oldest first. */
  records(): Iterable<OpenRecord> {
    return this.#records;
  }

  /**
   * Ends all records with the error `proxy_stopped`, so that each leaves its log line. The connections stay as they
   * are: the process is about to end.
   *
   * @returns the number of requests
   */
  cut(): number {
    const { size } = this.#records;
    for (const record of this.#records) record.cut();
    this.#records.clear();
    return size;
  }
}
