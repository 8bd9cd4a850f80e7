/**
 * The suite of callers, limits and logs on Workers.
 * @module
 */
import { conformanceCallers } from "../conformance-callers.ts";

conformanceCallers("worker");
