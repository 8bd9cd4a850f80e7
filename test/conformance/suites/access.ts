/**
 * The black-box suite of access: who may reach what, with a network, a name server and targets of its own.
 * @module
 */
import { afterAll, beforeAll, describe } from "vitest";
import { describeAccess } from "../access.ts";
import { describeEgress } from "../egress.ts";
import { describeLoops } from "../loops.ts";
import { describeRebinding } from "../rebinding.ts";
import { describeRemedies } from "../remedies.ts";
import { describeKnownHosts, describeRights } from "../rights.ts";
import { describeSentinel } from "../sentinel.ts";
import { describeSentinelCallers } from "../sentinel-callers.ts";
import { describeSpellings, SPELLED_BY } from "../spellings.ts";
import { describeUpstreamWays } from "../upstream-ways.ts";
import { declareWith, rowsOnce, type RuntimeName } from "../../support/topic.ts";
import { START_MS } from "../../support/turns.ts";
import { World } from "../../support/world.ts";

/** Declares the suite for one runtime. */
export function conformanceAccess(runtime: RuntimeName): void {
  const world = new World(runtime);
  describe(`access on ${runtime}, ${world.network.name}`, () => {
    beforeAll(() => world.start(), START_MS);
    afterAll(() => world.stop());

    describeSpellings(world, rowsOnce(runtime, SPELLED_BY));
    describeEgress(world);
    describeKnownHosts(world);
    describeRemedies(world, runtime);
    declareWith(runtime, "look-ups of names", () => {
      describeAccess(world);
      describeRebinding(world);
      describeRights(world);
      describeLoops(world);
      describeUpstreamWays(world);
    });
    describeSentinel(world, runtime);
    describeSentinelCallers(world, runtime);
  });
}
