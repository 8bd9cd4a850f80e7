/**
 * The console's workbench, on Node.
 * @module
 */
import { testConsole } from "./suite.ts";

testConsole("workbench");
