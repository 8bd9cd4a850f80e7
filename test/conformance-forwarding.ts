/**
 * The second half of the black-box suite: how requests and answers are forwarded, byte by byte and in time.
 * @module
 */
import { afterAll, beforeAll, describe } from "vitest";
import { describeArgumentCost } from "./conformance/argument-cost.ts";
import { describeCodings } from "./conformance/codings.ts";
import { describeConditional } from "./conformance/conditional.ts";
import { describeConnecting } from "./conformance/connecting.ts";
import { describeDeadlines } from "./conformance/deadlines.ts";
import { describeFaultsMidway } from "./conformance/faults-midway.ts";
import { describeFraming } from "./conformance/framing.ts";
import { describePressure } from "./conformance/pressure.ts";
import { describeRequestHeads } from "./conformance/request-heads.ts";
import { describeStatuses } from "./conformance/statuses.ts";
import { describeStreams } from "./conformance/streams.ts";
import { describeUploads } from "./conformance/uploads.ts";
import { Pool } from "./support/pool.ts";
import type { RuntimeName } from "./support/proxy.ts";
import { START_MS } from "./support/turns.ts";

/** Declares the suite for one runtime. */
export function conformanceForwarding(runtime: RuntimeName): void {
  describe(`forwarding on ${runtime}`, () => {
    const pool = new Pool(runtime);
    beforeAll(() => pool.start(), START_MS);
    afterAll(() => pool.stop());

    describeCodings(pool);
    describeFraming(pool);
    describeRequestHeads(pool);
    describeStatuses(pool);
    describeConditional(pool);
    describeUploads(pool);
    describeFaultsMidway(pool);
    describeConnecting(pool);
    describeDeadlines(pool);
    describeStreams(pool);
    describePressure(pool);
    describeArgumentCost(pool);
  });
}
