/**
 * `AUDIT` as a part: records every decision before it takes effect (rule 22.11).
 * @module
 */

import { type Host, makeLatePart, type Part } from "../../core/part.ts";
import { ConfigError } from "../../core/settings/config.ts";
import type { Audit } from "../../core/settings/values.ts";

/**
 * Makes the part.
 *
 * @throws {ConfigError} for a file, where nobody lends a way to write it
 */
export function makeAudit({ to }: Audit, { lent: { audit, isEmbedded } }: Host): Part {
  const write = typeof to === "string" ? audit : to;
  if (!write) {
    throw new ConfigError(
      `AUDIT is ${
        JSON.stringify(to)
      }, expected none here: no file can be written. Pass a function as option audit`,
    );
  }
  return makeLatePart("audit", async () => (await import("./witness.ts")).auditRules(write, isEmbedded));
}
