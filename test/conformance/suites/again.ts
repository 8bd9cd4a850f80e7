/**
 * What bytes meet that pass through more than the proxy: they are captured on the way, or go through another proxy. Only
 * what that can change: framing, streams, uploads, faults, and WebSockets.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeCodings, FEW_CODINGS } from "../codings.ts";
import { describeFaultsMidway } from "../faults-midway.ts";
import { describeFraming } from "../framing.ts";
import { describeStreams } from "../streams.ts";
import { describeUnevenBodies } from "../uneven-bodies.ts";
import { describeUploads } from "../uploads.ts";
import { describeEarlyFrames } from "../websocket-early.ts";
import { describeWebSocketFaults } from "../websocket-faults.ts";
import { describeWebSocketMessages } from "../websocket-messages.ts";
import { describeBoundLogins } from "../bound-logins.ts";
import { type Complete, declareWith, Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime. */
export function conformanceAgain(runtime: RuntimeName, complete: Complete): void {
  describe(`forwarding once more on ${runtime}`, () => {
    const pool = new Pool(runtime, complete);
    afterAll(() => pool.stop());

    describeCodings(pool, FEW_CODINGS);
    describeFraming(pool);
    describeUploads(pool);
    describeFaultsMidway(pool);
    describeStreams(pool);
    describeUnevenBodies(pool);
    declareWith(runtime, "connections of its own", () => describeBoundLogins(pool));
    describeWebSocketMessages(pool);
    describeEarlyFrames(pool);
    describeWebSocketFaults(pool);
  });
}
