/**
 * The console's requests, on Node.
 * @module
 */
import { testConsole } from "./suite.ts";

testConsole("requests");
