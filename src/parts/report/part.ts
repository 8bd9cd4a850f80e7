/**
 * `GATE=report` as a part: what a caller's token or the table of targets refuses passes, and is noted (rule 22.18).
 * @module
 */

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
  return {
    name: "report",
    rules: () => ({
      pardon: (refusal, { record }) => {
        record.pardoned = refusal;
      },
    }),
  };
}
