/**
 * Signed links as a part.
 * @module
 */

import { makeLatePart, type Part } from "../../core/part.ts";
import type { Config } from "../../core/settings/config.ts";

/** Makes the part. */
export function makeLinks(config: Config): Part {
  return makeLatePart("links", async () => (await import("./signed-link.ts")).linkRules(config));
}
