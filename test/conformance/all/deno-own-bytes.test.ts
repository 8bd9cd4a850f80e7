/**
 * Whose bytes are whose, on Deno.
 * @module
 */
import { conformanceOwnBytes } from "../suites/own-bytes.ts";

conformanceOwnBytes("deno");
