/**
 * Attacks by web pages on Bun.
 * @module
 */
import { testAttacks } from "./suite.ts";

testAttacks("bun", "network");
