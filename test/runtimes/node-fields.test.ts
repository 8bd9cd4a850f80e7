/**
 * The suite of fields, cookies, locations and redirects on Node.
 * @module
 */
import { conformanceFields } from "../conformance-fields.ts";

conformanceFields("node");
