/**
 * The request of one hop, before and after it is dressed.
 * @module
 */

import type { Judged } from "../exchange.ts";
import type { Outgoing } from "../runtime.ts";

/** The parts of a request that an entry changes. */
export interface Dress extends Pick<Outgoing, "path" | "headers"> {
  /** Keys by name that go out with it; absent if there are none. */
  sent?: ReadonlyMap<string, string>;
}

/** What is known of a hop. */
export interface HopRequest extends Dress {
  readonly origin: URL;
  readonly addresses: Judged;
  /** True as long as redirects have not left the origin that the caller named. */
  readonly isNamed: boolean;
  /** True if the caller wrote the whole address (`url`, `arg`), and not a base. */
  readonly isWhole: boolean;
}
