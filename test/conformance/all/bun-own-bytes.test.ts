/**
 * Whose bytes are whose, on Bun.
 * @module
 */
import { conformanceOwnBytes } from "../suites/own-bytes.ts";

conformanceOwnBytes("bun");
