/**
 * The suite of callers, limits and logs on Node.
 * @module
 */
import { conformanceCallers } from "../conformance-callers.ts";

conformanceCallers("node");
