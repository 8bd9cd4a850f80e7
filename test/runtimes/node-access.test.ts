/**
 * The access suite on Node.
 * @module
 */
import { conformanceAccess } from "../conformance-access.ts";

conformanceAccess("node");
