/**
 * The conformance suite on Node.
 * @module
 */
import { conformance } from "../conformance.ts";

conformance("node");
