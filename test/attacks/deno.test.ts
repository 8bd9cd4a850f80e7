/**
 * Attacks by web pages on Deno.
 * @module
 */
import { testAttacks } from "./suite.ts";

testAttacks("deno", "network");
