/**
 * The black-box suite of fields, cookies, locations and redirects, over real sockets, on every runtime.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeAmbientCookies } from "../ambient-cookies.ts";
import { describeAnswerFields } from "../answer-fields.ts";
import { describeConditions } from "../conditional.ts";
import { describeHopLimits } from "../hop-limits.ts";
import { describeHops } from "../hops.ts";
import { describeIdentity } from "../identity.ts";
import { describeLandings } from "../landings.ts";
import { describeLocations } from "../locations.ts";
import { describeOriginFields } from "../origin-fields.ts";
import { describePageOrigins } from "../page-origins.ts";
import { describeRequestFields } from "../request-fields.ts";
import { describeSetCookies } from "../set-cookies.ts";
import { Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime. */
export function conformanceFields(runtime: RuntimeName): void {
  describe(`fields on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeRequestFields(pool);
    describeAnswerFields(pool);
    describeConditions(pool);
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
