/**
 * The black-box suite: what a caller and a target see of the proxy, over real sockets, the same for every runtime.
 * @module
 */
import { afterAll, beforeAll, describe } from "vitest";
import { describeAddressForms } from "../address-forms.ts";
import { describeAddressFaults } from "../address-faults.ts";
import { describeArgument } from "../argument.ts";
import { describeBase } from "../base.ts";
import { describeCertificates } from "../certificates.ts";
import { describeCredentials } from "../credentials.ts";
import { describeDescriptors } from "../descriptors.ts";
import { describeDiagnostic } from "../diagnostic.ts";
import { describeErrors } from "../errors.ts";
import { describeFaults } from "../faults.ts";
import { describeHeldConnections } from "../held-connections.ts";
import { describeFormFields } from "../form-fields.ts";
import { describeHost } from "../host.ts";
import { describeLabels } from "../labels.ts";
import { describeLiveTraffic } from "../live-traffic.ts";
import { describeMount } from "../mount.ts";
import { describeOutgoing } from "../outgoing.ts";
import { describeOutput } from "../output.ts";
import { describeRedirects } from "../redirects.ts";
import { describeReread } from "../reread.ts";
import { describeSecureCallers } from "../secure-callers.ts";
import { describeSelectors } from "../selectors.ts";
import { describeSettings } from "../settings.ts";
import { describeCommand } from "../command.ts";
import { describeStart } from "../start.ts";
import { describeState } from "../state.ts";
import { describeStop } from "../stop.ts";
import { describeTurns } from "../turns.ts";
import { describeUrl } from "../url.ts";
import { describeWorkers } from "../workers.ts";
import { describeStuckWorkers } from "../workers-stuck.ts";
import { declareWith } from "../../support/capabilities.ts";
import { Pool } from "../../support/pool.ts";
import type { RuntimeName } from "../../support/proxy.ts";
import { START_MS } from "../../support/turns.ts";

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
    describeAddressForms(pool);
    describeFormFields(pool);
    describeAddressFaults(pool);
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
    describeLiveTraffic(pool);
    declareWith(runtime, "authorities of its environment", () => describeCertificates(pool));
    declareWith(runtime, "a command line", () => {
      describeCommand(pool);
      describeSettings(pool);
      describeStop(pool);
      describeReread(pool);
      describeDescriptors(pool);
      describeHeldConnections(pool);
      describeSecureCallers(pool);
      describeTurns(pool);
      describeOutput(pool);
      describeWorkers(pool);
      describeStuckWorkers(pool);
    });
  });
}
