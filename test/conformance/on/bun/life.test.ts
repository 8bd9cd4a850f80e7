/**
 * The life of processes on Bun.
 * @module
 */
import { conformanceLife } from "../../suites/life.ts";

conformanceLife("bun");
