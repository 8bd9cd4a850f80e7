/**
 * Callers and targets who take their time, on each runtime. Nothing is measured, so other files may run beside it.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeCrowd } from "../crowd.ts";
import { describeUnevenBodies, describeUnevenSecureBodies } from "../uneven-bodies.ts";
import { declareWith, Pool } from "../../support/topic.ts";

const POOLS = (["bun", "deno", "node", "worker"] as const).map((runtime) => new Pool(runtime));
// Each stops what all have left running.
afterAll(() => Promise.all(POOLS.map((pool) => pool.stop())));

describe.concurrent.each(POOLS)("those who are slow on $runtime", (pool) => {
  describe.sequential("alone or many", () => {
    describeCrowd(pool);
    describeUnevenBodies(pool);
    declareWith(pool.runtime, "connections of its own", () => describeUnevenSecureBodies(pool));
  });
});
