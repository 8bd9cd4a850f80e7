/**
 * The conformance suite on Deno.
 * @module
 */
import { conformance } from "../conformance.ts";

conformance("deno");
