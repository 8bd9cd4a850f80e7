/**
 * Web pages that attack: in a real Chromium, with a runtime's real entry, in a network that is theirs alone. Each title
 * names its row of the threat model.
 * @module
 */
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { RuntimeName } from "../support/proxy.ts";
import { describeLabels } from "./labels.ts";
import { describeLinks } from "./links.ts";
import { describeMoving } from "./moving.ts";
import { describeOutside } from "./outside.ts";
import { describePages } from "./pages.ts";
import { describePasswords } from "./passwords.ts";
import { describePlanting } from "./planting.ts";
import { describeRebinding } from "./rebinding.ts";
import { describeRebound } from "./rebound.ts";
import { describeRedirects } from "./redirects.ts";
import { Stage } from "./stage.ts";
import { describeSwitching } from "./switching.ts";
import { describeTheft } from "./theft.ts";

/** Declares the suite: all of it on Node, what the listener, the resolver and the pool have a part in on the others. */
export function testAttacks(runtime: RuntimeName): void {
  describe(`attacks on ${runtime}`, () => {
    const stage = new Stage(runtime);
    beforeAll(() => stage.start());
    afterEach(() => stage.clear());
    afterAll(() => stage.stop());

    describeRebinding(stage);
    describeRebound(stage);
    describePasswords(stage);
    describeOutside(stage);
    // What follows is decided by the core, which is the same on all runtimes.
    if (runtime !== "node") return;
    describePages(stage);
    describeMoving(stage);
    describeTheft(stage);
    describeLinks(stage);
    describeSwitching(stage);
    describePlanting(stage);
    describeLabels(stage);
    describeRedirects(stage);
  });
}
