/**
 * The process on Deno: start, stop, files, signals, log and limits.
 * @module
 */
import { conformanceProcess } from "../../suites/process.ts";

conformanceProcess("deno");
