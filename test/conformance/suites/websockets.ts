/**
 * The black-box suite of WebSockets.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeUpgrades } from "../upgrades.ts";
import { describeEarlyFrames } from "../websocket-early.ts";
import { describeWebSocketFaults } from "../websocket-faults.ts";
import { describeWebSocketLife } from "../websocket-life.ts";
import { describeWebSocketMessages } from "../websocket-messages.ts";
import { describeWebSockets } from "../websockets.ts";
import { Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime, with what all proxies have beside their settings. */
export function conformanceWebSockets(runtime: RuntimeName): void {
  describe(`WebSockets on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeWebSockets(pool);
    describeWebSocketMessages(pool);
    describeWebSocketLife(pool);
    describeEarlyFrames(pool);
    describeWebSocketFaults(pool);
    describeUpgrades(pool);
  });
}
