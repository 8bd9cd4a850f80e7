/**
 * The console in a real browser, in front of a runtime's real entry and a real target.
 * @module
 */
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { describeAnswer } from "./answer.ts";
import { describeBuilder } from "./builder.ts";
import { describeExplain } from "./explain.ts";
import { describeHost } from "./host.ts";
import { describeHostile } from "./hostile.ts";
import { describeInspector } from "./inspector.ts";
import { describePage } from "./page.ts";
import { describeRefusals } from "./refusals.ts";
import { describeRequest } from "./request.ts";
import { Stage } from "./stage.ts";
import { describeTraffic } from "./traffic.ts";
import { describeTrafficList } from "./traffic-list.ts";
import type { RuntimeName } from "../support/proxy.ts";

/** Declares the suite for one runtime. */
export function testConsole(runtime: RuntimeName): void {
  describe(`the console on ${runtime}`, () => {
    const stage = new Stage(runtime);
    beforeAll(() => stage.start());
    afterEach(() => stage.clear());
    afterAll(() => stage.stop());

    describeHost(stage);
    describeRequest(stage);
    describeAnswer(stage);
    describeBuilder(stage);
    describeRefusals(stage);
    describeExplain(stage);
    describeTraffic(stage);
    describeInspector(stage);
    describeTrafficList(stage);
    describePage(stage);
    describeHostile(stage);
  });
}
