/**
 * The forms of other proxies as a part.
 * @module
 */

import { makeLatePart, type Part } from "../../core/part.ts";
import type { Config } from "../../core/settings/config.ts";

/** Makes the part for the forms that the settings ask for. */
export function makeForms(config: Config): Part {
  return makeLatePart("forms", async () => (await import("./form-fields.ts")).formRules(config));
}
