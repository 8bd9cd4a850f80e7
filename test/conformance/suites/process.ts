/**
 * The proxy as a process: how it starts and stops, what it reads, writes and holds, and many callers at once.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeCertificates } from "../certificates.ts";
import { describeClient } from "../client.ts";
import { describeCommand } from "../command.ts";
import { describeDescriptors } from "../descriptors.ts";
import { describeFaults } from "../faults.ts";
import { describeSealedFetch } from "../seal.ts";
import { describeHeldConnections } from "../held-connections.ts";
import { describeLimits } from "../limits.ts";
import { describeLiveTraffic } from "../live-traffic.ts";
import { describeLogs } from "../logs.ts";
import { describeOutput } from "../output.ts";
import { describeReread } from "../reread.ts";
import { describeSecureTargets } from "../secure-targets.ts";
import { describeSettings } from "../settings.ts";
import { describeSecureCallers } from "../secure-callers.ts";
import { describeStart } from "../start.ts";
import { describeStalled } from "../stalled.ts";
import { describeStop } from "../stop.ts";
import { describeTargetCertificates } from "../target-certificates.ts";
import { describeTargetsFile } from "../targets-file.ts";
import { describeTokenCommand } from "../token-command.ts";
import { describeStuckWorkers } from "../workers-stuck.ts";
import { describeWorkers } from "../workers.ts";
import { declareWith } from "../../support/capabilities.ts";
import { Pool } from "../../support/pool.ts";
import type { RuntimeName } from "../../support/proxy.ts";

/** Declares the suite for one runtime. */
export function conformanceProcess(runtime: RuntimeName): void {
  describe(`the process on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeFaults(pool);
    describeStart(pool);
    describeLimits(pool);
    describeLogs(pool);
    describeClient(pool);
    describeSealedFetch(pool);
    describeLiveTraffic(pool);
    declareWith(runtime, "authorities of its environment", () => describeCertificates(pool));
    declareWith(runtime, "a command line", () => {
      describeCommand(pool);
      describeSettings(pool);
      describeStop(pool);
      describeReread(pool);
      describeDescriptors(pool);
      describeStalled(pool);
      describeHeldConnections(pool);
      describeSecureCallers(pool);
      describeOutput(pool);
      describeWorkers(pool);
      describeStuckWorkers(pool);
      describeTokenCommand(pool);
      describeTargetsFile(pool);
    });
    declareWith(runtime, "connections of its own", () => {
      describeTargetCertificates(runtime);
      describeSecureTargets(runtime);
    });
  });
}
