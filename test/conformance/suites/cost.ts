/**
 * What costs a proxy memory and time: floods, crowds and long texts. It compares measurements, so nothing runs beside it.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeArgumentCost } from "../argument-cost.ts";
import { describeShares } from "../busy-callers.ts";
import { describeCrowd } from "../crowd.ts";
import { describeForeignTexts } from "../foreign-texts.ts";
import { describePressure } from "../pressure.ts";
import { describeTurns } from "../turns.ts";
import { describeUnevenBodies, describeUnevenSecureBodies } from "../uneven-bodies.ts";
import { describeWebSocketFloods } from "../websocket-floods.ts";
import { declareWith, Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime. */
export function conformanceCost(runtime: RuntimeName): void {
  describe(`cost on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeArgumentCost(pool);
    describeCrowd(pool);
    describeShares(pool);
    declareWith(runtime, "a command line", () => {
      describeForeignTexts(pool);
      describeTurns(pool);
    });
    describePressure(pool);
    describeUnevenBodies(pool);
    declareWith(runtime, "connections of its own", () => describeUnevenSecureBodies(pool));
    describeWebSocketFloods(pool);
  });
}
