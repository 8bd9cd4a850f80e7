/**
 * The process on Node: start, stop, files, signals, log and limits.
 * @module
 */
import { conformanceProcess } from "../../suites/process.ts";

conformanceProcess("node");
