/**
 * The process on Bun: start, files, log and limits.
 * @module
 */
import { conformanceProcess } from "../../suites/process.ts";

conformanceProcess("bun");
