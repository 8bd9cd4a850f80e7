/**
 * What `fetchvia run --report` sets (rule 22.9).
 * @module
 */

import { lstatSync } from "node:fs";
import { ConfigError } from "../../core/settings/config.ts";

/** Settings by their names, as flags give them. */
type Flags = Readonly<Record<string, string | undefined>>;

/**
 * Adds the settings, unless a flag says otherwise. Without a file of the user's own, nothing is written through a link:
 * whoever made the folder would choose what the lines are added to.
 *
 * @throws {ConfigError} for a link
 */
export function setReport(flags: Flags, file = "fetchvia-audit.jsonl"): Flags {
  if (flags["audit"] === undefined && lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new ConfigError(`${file} is a link, expected a file of its own: --audit names another`);
  }
  return { gate: "report", audit: file, ...flags };
}
