/**
 * How a target is named, what an argument says, and what the proxy answers itself.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeAddressFaults } from "../address-faults.ts";
import { describeAddressForms } from "../address-forms.ts";
import { describeAt } from "../at.ts";
import { describeArgument } from "../argument.ts";
import { describeBase } from "../base.ts";
import { describeCredentials } from "../credentials.ts";
import { describeDiagnostic } from "../diagnostic.ts";
import { describeErrors } from "../errors.ts";
import { describeFaults } from "../faults.ts";
import { describeFormFields } from "../form-fields.ts";
import { describeLabels } from "../labels.ts";
import { describeMount } from "../mount.ts";
import { describeOutgoing } from "../outgoing.ts";
import { describeRedirects } from "../redirects.ts";
import { describeSelectors } from "../selectors.ts";
import { describeState } from "../state.ts";
import { describeHost } from "../host.ts";
import { describeUrl } from "../url.ts";
import { Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime. */
export function conformance(runtime: RuntimeName): void {
  describe(`conformance on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeSelectors(pool);
    describeBase(pool);
    describeLabels(pool);
    describeUrl(pool);
    describeAt(pool);
    describeAddressForms(pool);
    describeFormFields(pool);
    describeAddressFaults(pool);
    describeCredentials(pool);
    describeHost(pool);
    describeState(pool);
    describeArgument(pool);
    describeFaults(pool);
    describeOutgoing(pool);
    describeMount(pool);
    describeRedirects(pool);
    describeDiagnostic(pool);
    describeErrors(pool);
  });
}
