/**
 * The suite of callers, limits and logs on Bun.
 * @module
 */
import { conformanceCallers } from "../conformance-callers.ts";

conformanceCallers("bun");
