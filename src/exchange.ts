/**
 * One request on its way through the steps: what each of them may look at.
 * @module
 */

import type { Caller } from "./caller.ts";
import type { Config } from "./config.ts";
import type { Incoming, Runtime } from "./runtime.ts";
import type { Target } from "./target.ts";

/** The incoming request with all that is known of it. Nothing in it changes. */
export interface Exchange {
  readonly incoming: Incoming;
  readonly runtime: Runtime;
  readonly config: Config;
  readonly caller: Caller;
  /** Path and query of the request, as the runtime gives them. */
  readonly path: string;
}

/** How a target is asked. */
export interface ForwardOptions {
  /** Redirects to follow; `undefined` hands every 3xx on. */
  maxRedirects?: number;
}

/** Takes an exchange through the steps that follow the choice of its target. */
export type Forward = (exchange: Exchange, target: Target, options?: ForwardOptions) => Promise<Response>;
