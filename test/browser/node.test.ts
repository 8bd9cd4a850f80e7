/**
 * Pages of several origins in a browser, on Node.
 * @module
 */
import { testPages } from "./suite.ts";

testPages("node");
