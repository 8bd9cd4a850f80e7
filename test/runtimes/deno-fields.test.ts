/**
 * The suite of fields, cookies, locations and redirects on Deno.
 * @module
 */
import { conformanceFields } from "../conformance-fields.ts";

conformanceFields("deno");
