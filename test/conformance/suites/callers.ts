/**
 * The black-box suite of contract 5 to 7: who may call, how often, and what is told of it, on every runtime.
 * @module
 */
import { afterAll, beforeAll, describe } from "vitest";
import { describeClient } from "../client.ts";
import { describeConsoleSend } from "../console-send.ts";
import { describeCors } from "../cors.ts";
import { describeCrossSite } from "../cross-site.ts";
import { describeFormCallers } from "../form-callers.ts";
import { describeLimits } from "../limits.ts";
import { describeLogs } from "../logs.ts";
import { describeMetrics } from "../metrics.ts";
import { describeProxyHeaders } from "../proxy-headers.ts";
import { describeSeal } from "../seal.ts";
import { describeSignedLinks } from "../signed-links.ts";
import { describeSignedOpenings } from "../signed-openings.ts";
import { describeTokens } from "../tokens.ts";
import { describeTrusted } from "../trusted.ts";
import { Pool } from "../../support/pool.ts";
import type { RuntimeName } from "../../support/proxy.ts";
import { START_MS } from "../../support/turns.ts";

/** Declares the suite for one runtime. */
export function conformanceCallers(runtime: RuntimeName): void {
  describe(`callers on ${runtime}`, () => {
    const pool = new Pool(runtime);
    beforeAll(() => pool.start(), START_MS);
    afterAll(() => pool.stop());

    describeCors(pool);
    describeCrossSite(pool);
    describeFormCallers(pool);
    describeTokens(pool);
    describeSignedLinks(pool);
    describeSignedOpenings(pool);
    describeClient(pool);
    describeProxyHeaders(pool);
    describeSeal(pool);
    describeConsoleSend(pool);
    describeLimits(pool);
    describeTrusted(pool);
    describeLogs(pool);
    describeMetrics(pool);
  });
}
