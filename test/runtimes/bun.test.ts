/**
 * The conformance suite on Bun.
 * @module
 */
import { conformance } from "../conformance.ts";

conformance("bun");
