/**
 * What callers and their pages may do, and how they show it.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeConsoleSend } from "../console-send.ts";
import { describeConsoleSocket } from "../console-socket.ts";
import { describeCors } from "../cors.ts";
import { describeCrossSite } from "../cross-site.ts";
import { describeFormCallers } from "../form-callers.ts";
import { describeMetrics } from "../metrics.ts";
import { describeRates } from "../limits.ts";
import { describeProxyHeaders } from "../proxy-headers.ts";
import { describeSeal } from "../seal.ts";
import { describeSignedLinks } from "../signed-links.ts";
import { describeSignedOpenings } from "../signed-openings.ts";
import { describeTokens } from "../tokens.ts";
import { describeTrusted } from "../trusted.ts";
import { describeWebSocketAccess } from "../websocket-access.ts";
import { describeHandshakes } from "../websockets.ts";
import { Pool, type RuntimeName } from "../../support/topic.ts";

/** Declares the suite for one runtime. */
export function conformanceCallers(runtime: RuntimeName): void {
  describe(`callers on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeCors(pool);
    describeCrossSite(pool);
    describeFormCallers(pool);
    describeTokens(pool);
    describeSignedLinks(pool);
    describeSignedOpenings(pool);
    describeProxyHeaders(pool);
    describeSeal(pool);
    describeConsoleSend(pool);
    describeConsoleSocket(pool);
    describeHandshakes(pool);
    describeWebSocketAccess(pool);
    describeTrusted(pool);
    describeMetrics(pool);
    describeRates(pool);
  });
}
