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

/** What the listener, the resolver and the pool have a part in: on each runtime. What the core decides: on Node. */
const PARTS = {
  network: [describeRebinding, describeRebound, describePasswords, describeOutside],
  pages: [describePages, describeMoving, describeTheft, describeLinks],
  hosts: [describeSwitching, describePlanting, describeLabels, describeRedirects],
};

/** Declares a part of the suite for one runtime. */
export function testAttacks(runtime: RuntimeName, part: keyof typeof PARTS): void {
  describe(`attacks on ${runtime}`, () => {
    const stage = new Stage(runtime);
    beforeAll(() => stage.start());
    afterEach(() => stage.clear());
    afterAll(() => stage.stop());

    for (const declare of PARTS[part]) declare(stage);
  });
}
