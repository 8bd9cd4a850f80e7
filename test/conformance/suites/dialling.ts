/**
 * Who is dialled, over real sockets and with a name server: what the memory of `decisions/` does in its own way. Who may
 * reach what is decided there, and inside each engine.
 * @module
 */
import { afterAll, beforeAll, describe } from "vitest";
import { describeDialled } from "../access.ts";
import { describeEgress } from "../egress.ts";
import { describeLoops } from "../loops.ts";
import { describeRebinding } from "../rebinding.ts";
import { describeMixtures } from "../rights.ts";
import { describeSpellings } from "../spellings.ts";
import { describeUpstreamWays } from "../upstream-ways.ts";
import type { RuntimeName } from "../../support/proxy.ts";
import { START_MS } from "../../support/turns.ts";
import { World } from "../../support/world.ts";

/** Declares the suite for one runtime. */
export function conformanceDialling(runtime: RuntimeName): void {
  const world = new World(runtime);
  describe(`dialling on ${runtime}, ${world.network.name}`, () => {
    beforeAll(() => world.start(), START_MS);
    afterAll(() => world.stop());

    describeSpellings(world, [{ selector: "header" }]);
    describeEgress(world);
    describeMixtures(world);
    describeDialled(world);
    describeRebinding(world);
    describeLoops(world);
    describeUpstreamWays(world);
  });
}
