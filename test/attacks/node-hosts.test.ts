/**
 * Attacks by web pages on Node: hosts and labels.
 * @module
 */
import { testAttacks } from "./suite.ts";

testAttacks("node", "hosts");
