/**
 * What one proxy remembers of heads that come again. It follows from settings, so no other proxy may read it.
 * @module
 */

import { Derived, type KeptFields } from "../http/fields.ts";
import type { Grant } from "../address/origins.ts";
import type { Config } from "../settings/config.ts";
import type { Caller } from "./caller.ts";
import type { Prepared, Target } from "./exchange.ts";
import type { Facts } from "./facts.ts";
import type { Runtime } from "./runtime.ts";

/** Who asks, and what that follows from beside the fields. */
export interface KeptFacts extends Facts {
  readonly runtime: Runtime;
  readonly config: Config;
  readonly grant: Grant;
}

/** A request without a body, and what its fields follow from beside those of the caller. */
export interface KeptRequest extends Pick<Target, "selector" | "basePath"> {
  readonly caller: Caller;
  readonly prepared: Prepared;
}

/** The fields for a caller, and what they follow from beside those of the target. */
export interface KeptAnswer {
  readonly status: number;
  readonly vary: string;
  readonly headers: KeptFields;
}

/** The memory of one proxy. */
export class Memory {
  readonly facts: Derived<KeptFacts> = new Derived();
  readonly requests: Derived<KeptRequest> = new Derived();
  readonly answers: Derived<KeptAnswer> = new Derived();
}
