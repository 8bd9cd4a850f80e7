/**
 * The process on Deno: start, files, log and limits.
 * @module
 */
import { conformanceProcess } from "../../suites/process.ts";

conformanceProcess("deno");
