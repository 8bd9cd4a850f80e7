/**
 * The life of processes on Node.
 * @module
 */
import { conformanceLife } from "../../suites/life.ts";

conformanceLife("node");
