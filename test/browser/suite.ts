/**
 * Real pages in a real browser, in front of a runtime's real entry.
 * @module
 */
import { afterAll, beforeAll, describe } from "vitest";
import type { RuntimeName } from "../support/proxy.ts";
import { describeCookies } from "./cookies.ts";
import { describeFields } from "./fields.ts";
import { describeLogins } from "./logins.ts";
import { describePageTokens } from "./page-tokens.ts";
import { describeParts } from "./parts.ts";
import { describeSdks } from "./sdks.ts";
import { describeSigned } from "./signed.ts";
import { describeScalar } from "./scalar.ts";
import { describeSockets } from "./sockets.ts";
import { Stage } from "./stage.ts";

/** Declares the suite: all of it on Node, a walk through logins and WebSockets on the other runtimes. */
export function testPages(runtime: RuntimeName): void {
  describe(`pages of several origins on ${runtime}`, () => {
    const stage = new Stage(runtime);
    beforeAll(() => stage.start());
    afterAll(() => stage.stop());

    describeLogins(stage);
    describeSockets(stage);
    describePageTokens(stage);
    if (runtime !== "node") return;
    describeCookies(stage);
    describeParts(stage);
    describeSdks(stage);
    describeSigned(stage);
    describeFields(stage);
    describeScalar(stage);
  });
}
