/**
 * The suite of fields, cookies, locations and redirects on Bun.
 * @module
 */
import { conformanceFields } from "../conformance-fields.ts";

conformanceFields("bun");
