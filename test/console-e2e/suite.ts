/**
 * The console in a real browser, in front of Node's real entry and a real target.
 * @module
 */
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { describeAnswer } from "./answer.ts";
import { describeBuilder } from "./builder.ts";
import { describeCaptured } from "./captured.ts";
import { describeDefects } from "./defects.ts";
import { describeDrafts } from "./drafts.ts";
import { describeExplain } from "./explain.ts";
import { describeHost } from "./host.ts";
import { describeHostile } from "./hostile.ts";
import { describeInspector } from "./inspector.ts";
import { describeLooks } from "./looks.ts";
import { describePage } from "./page.ts";
import { describeRefusals } from "./refusals.ts";
import { describeRequest } from "./request.ts";
import type { Settings } from "../support/proxy.ts";
import { describeSeveral } from "./several.ts";
import { Stage } from "./stage.ts";
import { describeTasks } from "./tasks.ts";
import { describeTraffic } from "./traffic.ts";
import { describeTrafficList } from "./traffic-list.ts";
import { describeWhileOpen } from "./while-open.ts";
import { describeWorkbench } from "./workbench.ts";

/** Its parts, each a file of its own: side by side they take a third of the time. */
const PARTS = {
  requests: [describeHost, describeRequest, describeAnswer, describeBuilder],
  traffic: [describeRefusals, describeExplain, describeTraffic, describeInspector, describeTrafficList],
  page: [describePage, describeHostile, describeWhileOpen],
  tool: [describeCaptured, describeDrafts, describeSeveral],
  looks: [describeDefects, describeTasks, describeLooks],
  workbench: [describeWorkbench],
};

const SETTINGS: Partial<Record<keyof typeof PARTS, Settings>> = {
  tool: { CAPTURE: "64KiB" },
  looks: { CAPTURE: "64KiB" },
  workbench: { CAPTURE: "64KiB" },
};

/** Declares a part of the suite, on Node. */
export function testConsole(part: keyof typeof PARTS): void {
  describe(`the console's ${part}`, () => {
    const stage = new Stage("node", SETTINGS[part]);
    beforeAll(() => stage.start());
    afterEach(() => stage.clear());
    afterAll(() => stage.stop());

    for (const declare of PARTS[part]) declare(stage);
  });
}
