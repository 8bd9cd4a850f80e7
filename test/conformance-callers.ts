/**
 * The black-box suite of contract 5 to 7: who may call, how often, and what is told of it, on every runtime.
 * @module
 */
import { afterAll, beforeAll, describe } from "vitest";
import { describeClient } from "./conformance/client.ts";
import { describeCors } from "./conformance/cors.ts";
import { describeCrossSite } from "./conformance/cross-site.ts";
import { describeLimits } from "./conformance/limits.ts";
import { describeLogs } from "./conformance/logs.ts";
import { describeMetrics } from "./conformance/metrics.ts";
import { describeSignedLinks } from "./conformance/signed-links.ts";
import { describeTokens } from "./conformance/tokens.ts";
import { describeTrusted } from "./conformance/trusted.ts";
import { Pool } from "./support/pool.ts";
import type { RuntimeName } from "./support/proxy.ts";
import { START_MS } from "./support/turns.ts";

/** Declares the suite for one runtime. */
export function conformanceCallers(runtime: RuntimeName): void {
  describe(`callers on ${runtime}`, () => {
    const pool = new Pool(runtime);
    beforeAll(() => pool.start(), START_MS);
    afterAll(() => pool.stop());

    describeCors(pool);
    describeCrossSite(pool);
    describeTokens(pool);
    describeSignedLinks(pool);
    describeClient(pool);
    describeLimits(pool);
    describeTrusted(pool);
    describeLogs(pool);
    describeMetrics(pool);
  });
}
