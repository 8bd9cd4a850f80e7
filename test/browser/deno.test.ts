/**
 * Pages of several origins in a browser, on Deno.
 * @module
 */
import { testPages } from "./suite.ts";

testPages("deno");
