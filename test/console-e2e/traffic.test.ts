/**
 * The console's traffic, on Node.
 * @module
 */
import { testConsole } from "./suite.ts";

testConsole("traffic");
