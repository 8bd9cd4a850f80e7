/** Passes for the console's WebSockets are good once. @module */
import { describe, expect, it } from "vitest";
import { PASS_MS } from "../../../src/parts/console/socket-page.ts";
import { UsedPasses } from "../../../src/parts/console/used-passes.ts";

describe("UsedPasses", () => {
  it("takes each pass once, and forgets it when it has expired", () => {
    const used = new UsedPasses();
    expect([used.take("a", PASS_MS, 0), used.take("a", PASS_MS, 1), used.take("b", PASS_MS, 1)])
      .toEqual([true, false, true]);
    expect(used.take("a", 2 * PASS_MS, PASS_MS)).toBe(true);
  });

  it("remembers a bounded number", () => {
    const used = new UsedPasses();
    const taken = Array.from({ length: 1_001 }, (_, at) => used.take(String(at), PASS_MS, 0));
    expect(taken.filter(Boolean)).toHaveLength(1_000);
  });
});
