/**
 * Whose bytes are whose, on Node.
 * @module
 */
import { conformanceOwnBytes } from "../suites/own-bytes.ts";

conformanceOwnBytes("node");
