/**
 * The black-box suite of capture.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeCapture } from "../capture.ts";
import { describeCaptureHops } from "../capture-hops.ts";
import { describeCaptureRights } from "../capture-rights.ts";
import { describeCaptureSecrets } from "../capture-secrets.ts";
import { Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime. */
export function conformanceCapture(runtime: RuntimeName): void {
  describe(`capture on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeCapture(pool);
    describeCaptureHops(pool);
    describeCaptureSecrets(pool);
    describeCaptureRights(pool);
  });
}
