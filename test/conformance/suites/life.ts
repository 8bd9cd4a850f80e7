/**
 * The life of the proxy's processes: what they hold, let go and read again, and how they stop, one or several.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeDescriptors } from "../descriptors.ts";
import { describeHeldConnections } from "../held-connections.ts";
import { describeOutput } from "../output.ts";
import { describeReread } from "../reread.ts";
import { describeSecureCallers } from "../secure-callers.ts";
import { describeStalled } from "../stalled.ts";
import { describeStop } from "../stop.ts";
import { describeWorkers } from "../workers.ts";
import { Pool } from "../../support/pool.ts";
import type { RuntimeName } from "../../support/proxy.ts";

/** Declares the suite for one runtime. */
export function conformanceLife(runtime: RuntimeName): void {
  describe(`the life of processes on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeDescriptors(pool);
    describeSecureCallers(pool);
    describeStalled(pool);
    // These wait for the time limits of processes of their own, so they stand together and run side by side.
    describeHeldConnections(pool);
    describeOutput(pool);
    describeReread(pool);
    describeStop(pool);
    describeWorkers(pool);
  });
}
