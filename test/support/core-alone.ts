/**
 * The suites of the seed with the core alone: no part is there, and none is missed.
 * @module
 */
import { beforeEach } from "vitest";
import { useCoreAlone } from "./memory-network.ts";

/**
 * From now on the proxies of this file have no part.
 *
 * @param ofParts beginnings of the names of groups and tests that are about a part, which are left out
 */
export function useCoreWithout(ofParts: readonly string[]): void {
  useCoreAlone();
  beforeEach(({ task, skip }) => {
    const names: string[] = [];
    for (let at: { name: string; suite?: typeof task.suite } | undefined = task; at; at = at.suite) {
      names.push(at.name);
    }
    skip(ofParts.some((start) => names.some((name) => name.startsWith(start))), "a part does it");
  });
}
