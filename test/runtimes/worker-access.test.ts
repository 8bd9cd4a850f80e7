/**
 * The access suite on Workers.
 * @module
 */
import { conformanceAccess } from "../conformance-access.ts";

conformanceAccess("worker");
