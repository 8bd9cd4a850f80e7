/**
 * The forwarding suite on Workers.
 * @module
 */
import { conformanceForwarding } from "../conformance-forwarding.ts";

conformanceForwarding("worker");
