/**
 * The second half of the black-box suite: how requests and answers are forwarded, byte by byte and in time.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeAtWalk } from "../at.ts";
import { describeBoundLogins } from "../bound-logins.ts";
import { describeBusyCallers } from "../busy-callers.ts";
import { describeCaptureWire } from "../capture-wire.ts";
import { describeCodings } from "../codings.ts";
import { describeConditional } from "../conditional.ts";
import { describeConnecting } from "../connecting.ts";
import { describeDeadlines } from "../deadlines.ts";
import { describeEarlyAnswers } from "../early-answers.ts";
import { describeFaultsMidway } from "../faults-midway.ts";
import { describeFraming } from "../framing.ts";
import { describeExpectations } from "../expectations.ts";
import { describeFieldLines } from "../field-lines.ts";
import { describeInterim } from "../interim.ts";
import { describeRequestHeads } from "../request-heads.ts";
import { describeSignedBodies } from "../signing.ts";
import { describeStatuses } from "../statuses.ts";
import { describeStreams } from "../streams.ts";
import { describeUploads } from "../uploads.ts";
import { declareWith, Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime, with what all proxies have beside their settings. */
export function conformanceForwarding(runtime: RuntimeName): void {
  describe(`forwarding on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeCodings(pool);
    describeFraming(pool);
    describeRequestHeads(pool);
    describeStatuses(pool);
    describeConditional(pool);
    describeUploads(pool);
    describeSignedBodies(pool);
    declareWith(runtime, "connections of its own", () => describeEarlyAnswers(pool));
    declareWith(runtime, "a server of its own", () => {
      describeInterim(pool);
      describeFieldLines(pool);
      describeExpectations(pool);
      describeCaptureWire(pool);
    });
    describeFaultsMidway(pool);
    describeConnecting(pool);
    describeBusyCallers(pool);
    describeDeadlines(pool);
    describeStreams(pool);
    describeAtWalk(pool);
    declareWith(runtime, "connections of its own", () => describeBoundLogins(pool));
  });
}
