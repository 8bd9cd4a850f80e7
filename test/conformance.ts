/**
 * The black-box suite: what a caller and a target see of the proxy, over real sockets, the same for every runtime.
 * @module
 */
import { afterAll, beforeAll, describe } from "vitest";
import { describeArgument } from "./conformance/argument.ts";
import { describeBase } from "./conformance/base.ts";
import { describeCredentials } from "./conformance/credentials.ts";
import { describeDescriptors } from "./conformance/descriptors.ts";
import { describeDiagnostic } from "./conformance/diagnostic.ts";
import { describeErrors } from "./conformance/errors.ts";
import { describeFaults } from "./conformance/faults.ts";
import { describeHost } from "./conformance/host.ts";
import { describeLabels } from "./conformance/labels.ts";
import { describeMount } from "./conformance/mount.ts";
import { describeOutgoing } from "./conformance/outgoing.ts";
import { describeOutput } from "./conformance/output.ts";
import { describeRedirects } from "./conformance/redirects.ts";
import { describeSelectors } from "./conformance/selectors.ts";
import { describeSettings } from "./conformance/settings.ts";
import { describeCommand } from "./conformance/command.ts";
import { describeStart } from "./conformance/start.ts";
import { describeState } from "./conformance/state.ts";
import { describeStop } from "./conformance/stop.ts";
import { describeUrl } from "./conformance/url.ts";
import { describeWorkers } from "./conformance/workers.ts";
import { describeStuckWorkers } from "./conformance/workers-stuck.ts";
import { declareWith } from "./support/capabilities.ts";
import { Pool } from "./support/pool.ts";
import type { RuntimeName } from "./support/proxy.ts";
import { START_MS } from "./support/turns.ts";

/** Declares the suite for one runtime. */
export function conformance(runtime: RuntimeName): void {
  describe(`conformance on ${runtime}`, () => {
    const pool = new Pool(runtime);
    beforeAll(() => pool.start(), START_MS);
    afterAll(() => pool.stop());

    describeSelectors(pool);
    describeBase(pool);
    describeLabels(pool);
    describeUrl(pool);
    describeCredentials(pool);
    describeHost(pool);
    describeState(pool);
    describeArgument(pool);
    describeOutgoing(pool);
    describeMount(pool);
    describeRedirects(pool);
    describeFaults(pool);
    describeDiagnostic(pool);
    describeErrors(pool);
    describeStart(pool);
    declareWith(runtime, "a command line", () => {
      describeCommand(pool);
      describeSettings(pool);
      describeStop(pool);
      describeDescriptors(pool);
      describeOutput(pool);
      describeWorkers(pool);
      describeStuckWorkers(pool);
    });
  });
}
