/**
 * The console on Bun.
 * @module
 */
import { testConsole } from "./suite.ts";

testConsole("bun");
