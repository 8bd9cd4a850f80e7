/**
 * The forwarding suite on Bun.
 * @module
 */
import { conformanceForwarding } from "../conformance-forwarding.ts";

conformanceForwarding("bun");
