/**
 * The access suite on Bun.
 * @module
 */
import { conformanceAccess } from "../conformance-access.ts";

conformanceAccess("bun");
