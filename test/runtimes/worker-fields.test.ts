/**
 * The suite of fields, cookies, locations and redirects on Workers.
 * @module
 */
import { conformanceFields } from "../conformance-fields.ts";

conformanceFields("worker");
