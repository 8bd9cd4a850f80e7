/**
 * The suites of the seed with the core alone: no part is there, and none is missed.
 * @module
 */
import { afterAll, beforeEach, expect } from "vitest";
import { useCoreAlone } from "./memory-network.ts";

/**
 * From now on the proxies of this file have no part.
 *
 * @param ofParts beginnings of the names of groups and tests that are about a part, which are left out
 */
export function useCoreWithout(ofParts: readonly string[]): void {
  useCoreAlone();
  const found = new Set<string>();
  beforeEach(({ task, skip }) => {
    const names: string[] = [];
    for (let at: { name: string; suite?: typeof task.suite } | undefined = task; at; at = at.suite) {
      names.push(at.name);
    }
    const left = ofParts.filter((start) => names.some((name) => name.startsWith(start)));
    for (const start of left) found.add(start);
    skip(left.length > 0, "a part does it");
  });
  // A beginning that no name has any more leaves out nothing, or by and by what it was not meant for.
  afterAll(() => expect([...found].toSorted()).toEqual([...ofParts].toSorted()));
}
