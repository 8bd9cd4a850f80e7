/**
 * The console as a daily tool, on Node: what it captured, and what is made of it.
 * @module
 */
import { testConsole } from "./suite.ts";

testConsole("tool");
