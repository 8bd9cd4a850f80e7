/**
 * What several processes of one proxy share: types only.
 * @module
 */

/**
 * Request count in the current window.
 *
 * @internal
 */
export interface RateCount {
  /** Requests so far, including the one just counted. */
  requests: number;
  /** Milliseconds until the next window. */
  msLeft: number;
}

/**
 * Counts requests for `RATE_LIMIT`. Processes that share a store share the limit.
 *
 * @example
 * ```ts
 * const rateStore: RateStore = {
 *   count: async (caller, seconds) => ({ requests: await add(caller, seconds), msLeft: seconds * 1_000 }),
 * };
 * createProxy({ rateLimit: "100/60s" }, { rateStore });
 * ```
 */
export interface RateStore {
  /**
   * Counts one request. The first one of a caller starts a window of this many seconds.
   *
   * If it rejects, each process counts by itself.
   *
   * @param caller the caller's address
   * @returns the requests so far, including this one, and the milliseconds until the next window
   */
  count(caller: string, seconds: number): Promise<RateCount>;
}

/**
 * Decompresses bytes.
 *
 * @param format a name of the Compression Streams Standard, or `brotli` or `zstd`
 * @param maxBytes the most bytes that may come out
 * @param isCut true if the end is missing: what there is comes out
 * @returns `undefined` for a format that is not known; rejects for bytes that are not valid, or too many
 *
 * @internal
 */
export type Decompress = (
  format: string,
  bytes: Uint8Array<ArrayBuffer>,
  maxBytes: number,
  isCut: boolean,
) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** State that several processes of one proxy share. Every field is optional; a single process needs none. */
export interface Shared {
  /** The proxy's id in `CDN-Loop` (RFC 8586). Random by default, so each process counts as a separate proxy. */
  id?: string | undefined;
  /**
   * The secret with which a browser watches live traffic. Random by default. Whoever has it sees every request: keep it
   * secret.
   */
  ticket?: string | undefined;
  /**
   * The key of the digests in captures: 32 hexadecimal digits, such as a random UUID. Random by default, so each process
   * has digests of its own. Whoever has it can guess at short secrets.
   */
  captureKey?: string | undefined;
  /** The number of this process: captures write it before the numbers of connections. None if there is one process only. */
  processNumber?: number | undefined;
  /** Counts requests; in memory by default. */
  rateStore?: RateStore | undefined;
  /** Variables by name, such as `process.env`: they hold the keys that `targets` names. None by default. */
  environment?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Decompresses captured bodies; the platform's streams by default, which know fewer codings.
   *
   * @internal
   */
  decompress?: Decompress | undefined;
  /** Takes the reader of this process's metrics, and returns the reader of all processes' metrics. */
  shareMetrics?(read: () => string): () => Promise<readonly string[]>;
  /**
   * Takes a receiver for the live traffic of other processes, and returns the sender for the traffic of this process.
   * Entries are plain data.
   */
  shareTraffic?(take: (entries: readonly never[]) => void): (entries: readonly object[]) => void;
  /**
   * Takes the function that answers questions about captures in this process, and returns one that asks all processes,
   * including this one. Questions and answers are JSON.
   */
  shareCapture?(
    answer: (question: string) => Promise<string>,
  ): (question: string) => Promise<readonly string[]>;
}
