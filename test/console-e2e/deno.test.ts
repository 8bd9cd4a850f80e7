/**
 * The console on Deno.
 * @module
 */
import { testConsole } from "./suite.ts";

testConsole("deno");
