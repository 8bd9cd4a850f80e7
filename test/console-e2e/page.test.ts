/**
 * The console's page, on Node.
 * @module
 */
import { testConsole } from "./suite.ts";

testConsole("page");
