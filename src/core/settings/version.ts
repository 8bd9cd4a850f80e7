/**
 * The version. `npm run check` compares it with `package.json` and `deno.json`.
 * @module
 */

/** The version of fetchvia, as SemVer. */
export const VERSION = "0.2.0";

/** The `user-agent` of a described request that has none. */
export const DEFAULT_USER_AGENT = `fetchvia/${VERSION}`;
