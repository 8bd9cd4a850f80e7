/**
 * The black-box suite of the gate: the table of targets, the keys that stay here, and callers' tokens.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeBoundNames } from "../bound-names.ts";
import { describeCallerTokens } from "../caller-tokens.ts";
import { describeKeys } from "../keys.ts";
import { describePaths } from "../paths.ts";
import { describeSigning } from "../signing.ts";
import { describeHost, describeTargets } from "../targets.ts";
import { declareWith, Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime. */
export function conformanceGate(runtime: RuntimeName): void {
  describe(`gate on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeTargets(pool);
    describeKeys(pool);
    describeSigning(pool);
    describePaths(pool);
    describeBoundNames(pool);
    describeCallerTokens(pool);
    declareWith(runtime, "connections of its own", () => describeHost(pool));
  });
}
