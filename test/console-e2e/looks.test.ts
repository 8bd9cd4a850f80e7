/**
 * How the console looks in each of its states, on Node.
 * @module
 */
import { testConsole } from "./suite.ts";

testConsole("looks");
