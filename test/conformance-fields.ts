/**
 * The black-box suite of contract 4: fields, cookies, locations and redirects, over real sockets, on every runtime.
 * @module
 */
import { afterAll, beforeAll, describe } from "vitest";
import { describeAmbientCookies } from "./conformance/ambient-cookies.ts";
import { describeAnswerFields } from "./conformance/answer-fields.ts";
import { describeHopLimits } from "./conformance/hop-limits.ts";
import { describeHops } from "./conformance/hops.ts";
import { describeIdentity } from "./conformance/identity.ts";
import { describeLandings } from "./conformance/landings.ts";
import { describeLocations } from "./conformance/locations.ts";
import { describeOriginFields } from "./conformance/origin-fields.ts";
import { describePageOrigins } from "./conformance/page-origins.ts";
import { describeRequestFields } from "./conformance/request-fields.ts";
import { describeSetCookies } from "./conformance/set-cookies.ts";
import { Pool } from "./support/pool.ts";
import type { RuntimeName } from "./support/proxy.ts";
import { START_MS } from "./support/turns.ts";

/** Declares the suite for one runtime. */
export function conformanceFields(runtime: RuntimeName): void {
  describe(`fields on ${runtime}`, () => {
    const pool = new Pool(runtime);
    beforeAll(() => pool.start(), START_MS);
    afterAll(() => pool.stop());

    describeRequestFields(pool);
    describeAnswerFields(pool);
    describeIdentity(pool);
    describePageOrigins(pool);
    describeAmbientCookies(pool);
    describeSetCookies(pool);
    describeLocations(pool);
    describeLandings(pool);
    describeHops(pool);
    describeHopLimits(pool);
    describeOriginFields(pool);
  });
}
