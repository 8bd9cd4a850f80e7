/**
 * The version, in one place with `package.json` and `deno.json`; `npm run check` compares them.
 * @module
 */

/** The version of fetchvia, as SemVer. */
export const VERSION = "0.1.0";
