/**
 * Attacks by web pages on Node: pages and links.
 * @module
 */
import { testAttacks } from "./suite.ts";

testAttacks("node", "pages");
