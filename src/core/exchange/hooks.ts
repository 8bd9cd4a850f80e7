/**
 * The lists of what the parts do in the steps.
 * @module
 */

import type { Hooks, Rules } from "./exchange.ts";

/** Makes the lists; once for a proxy, and again when its settings change. */
export function hooksOf(rules: readonly Rules[]): Hooks {
  return Object.freeze({
    read: listOf(rules, "read"),
    wish: listOf(rules, "wish"),
    decide: listOf(rules, "decide"),
    limit: listOf(rules, "limit"),
    dress: listOf(rules, "dress"),
    answer: listOf(rules, "answer"),
  });
}

function listOf<Name extends keyof Rules>(
  rules: readonly Rules[],
  name: Name,
): readonly NonNullable<Rules[Name]>[] {
  return Object.freeze(rules.map((one) => one[name]).filter((one) => one !== undefined));
}

/** The lists of a proxy without parts. */
export const NO_HOOKS: Hooks = hooksOf([]);
