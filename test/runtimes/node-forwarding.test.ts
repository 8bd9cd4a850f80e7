/**
 * The forwarding suite on Node.
 * @module
 */
import { conformanceForwarding } from "../conformance-forwarding.ts";

conformanceForwarding("node");
