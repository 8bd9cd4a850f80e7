/**
 * The access suite on Deno.
 * @module
 */
import { conformanceAccess } from "../conformance-access.ts";

conformanceAccess("deno");
