/**
 * The conformance suite on Workers.
 * @module
 */
import { conformance } from "../conformance.ts";

conformance("worker");
