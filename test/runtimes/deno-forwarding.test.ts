/**
 * The forwarding suite on Deno.
 * @module
 */
import { conformanceForwarding } from "../conformance-forwarding.ts";

conformanceForwarding("deno");
