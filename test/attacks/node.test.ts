/**
 * Attacks by web pages on Node.
 * @module
 */
import { testAttacks } from "./suite.ts";

testAttacks("node", "network");
