/**
 * `GATE=report` as a part: what a caller's token or the table of targets refuses passes, and is noted (rule 22.18).
 * @module
 */

import type { Hop, RequestRecord } from "../../core/exchange/record.ts";
import type { Part } from "../../core/part.ts";
import { type Config, ConfigError } from "../../core/settings/config.ts";

/**
 * Makes the part.
 *
 * @throws {ConfigError} if nothing would record what passes
 */
export function makeReport({ audit }: Pick<Config, "audit">): Part {
  if (!audit) {
    throw new ConfigError("GATE is report, expected AUDIT with it: nothing else records what passes");
  }
  /** The hop at which something was let pass last; none where that was before the first one. */
  const last = new WeakMap<RequestRecord, Hop | undefined>();
  return {
    name: "report",
    rules: () => ({
      pardon: (refusal, { record }) => {
        const { hop, pardoned } = record;
        const isLater = last.get(record) !== undefined && last.get(record) !== hop;
        last.set(record, hop);
        // Without this part, the first refusal of a hop is the one that its caller gets.
        if (!pardoned || isLater) record.pardoned = refusal;
      },
    }),
  };
}
