/**
 * The console on Node.
 * @module
 */
import { testConsole } from "./suite.ts";

testConsole("node");
