/**
 * The process on Bun: start, stop, files, signals, log and limits.
 * @module
 */
import { conformanceProcess } from "../../suites/process.ts";

conformanceProcess("bun");
