/**
 * What costs a proxy memory and time: floods and long texts. It compares measurements, so nothing runs beside it.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeArgumentCost } from "../argument-cost.ts";
import { describeShares } from "../busy-callers.ts";
import { describeForeignTexts } from "../foreign-texts.ts";
import { describePressure } from "../pressure.ts";
import { describeTurns } from "../turns.ts";
import { describeWebSocketFloods } from "../websocket-floods.ts";
import { declareWith, Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime. */
export function conformanceCost(runtime: RuntimeName): void {
  describe(`cost on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeArgumentCost(pool);
    describeShares(pool);
    declareWith(runtime, "a command line", () => {
      describeForeignTexts(pool);
      describeTurns(pool);
    });
    describePressure(pool);
    describeWebSocketFloods(pool);
  });
}
