/**
 * Targets behind another proxy, on Node.
 * @module
 */
import { conformanceUpstream } from "../../suites/upstream.ts";

conformanceUpstream("node");
