/**
 * The version. `npm run check` compares it with `package.json` and `deno.json`.
 * @module
 */

/** The version of fetchvia, as SemVer. */
export const VERSION = "0.2.0";
