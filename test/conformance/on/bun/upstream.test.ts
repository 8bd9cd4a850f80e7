/**
 * Targets behind another proxy, on Bun.
 * @module
 */
import { conformanceUpstream } from "../../suites/upstream.ts";

conformanceUpstream("bun");
