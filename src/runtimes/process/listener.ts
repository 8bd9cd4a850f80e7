/**
 * The listener that a runtime provides to the command line.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import type { Shared } from "../../core/runtime.ts";

/** A listening server. */
export interface Listener {
  /** The port that it listens on. */
  port: number;
  /** True if only loopback can reach it. */
  isLocal: boolean;
  /**
   * Stops accepting, and settles when everything in flight has been answered, with the number of requests that other
   * processes of the same proxy have cut, if any.
   */
  drain(): Promise<number | void>;
  /** How much longer it may take, in milliseconds, because other processes have the same time limit and then tell what they cut. */
  graceMs?: number;
  /** Counts the requests in flight. */
  countOpen(): number | Promise<number>;
  /** Aborts all requests in flight; each still writes its log line. Returns the number of requests. */
  cut(): number;
  /** Reads again everything that may change at run time, as at SIGHUP. Returns lines for stderr. */
  reread(): Promise<readonly string[]>;
}

/**
 * Starts to listen; rejects if the address can't be used (`EADDRINUSE` or similar).
 *
 * @param shared present for one of several processes, which also share the port
 */
export type Listen = (config: Config, shared?: Shared) => Promise<Listener>;
