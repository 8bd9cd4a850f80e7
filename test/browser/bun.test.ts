/**
 * Pages of several origins in a browser, on Bun.
 * @module
 */
import { testPages } from "./suite.ts";

testPages("bun");
