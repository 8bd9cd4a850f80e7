/**
 * Targets behind another proxy, on Deno.
 * @module
 */
import { conformanceUpstream } from "../../suites/upstream.ts";

conformanceUpstream("deno");
