/**
 * The suite of callers, limits and logs on Deno.
 * @module
 */
import { conformanceCallers } from "../conformance-callers.ts";

conformanceCallers("deno");
