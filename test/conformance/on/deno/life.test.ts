/**
 * The life of processes on Deno.
 * @module
 */
import { conformanceLife } from "../../suites/life.ts";

conformanceLife("deno");
