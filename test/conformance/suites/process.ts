/**
 * The proxy as a process: how it starts, what it reads and writes, and its limits.
 * @module
 */
import { afterAll, describe } from "vitest";
import { describeAudit } from "../audit.ts";
import { describeCaptureProcesses } from "../capture-rights.ts";
import { describeCaptureOpen } from "../capture-open.ts";
import { describeCertificates } from "../certificates.ts";
import { describeClient } from "../client.ts";
import { describeCommand } from "../command.ts";
import { describeSealedFetch } from "../seal.ts";
import { describeKeptTrust } from "../kept-trust.ts";
import { describeConcurrent } from "../limits.ts";
import { describeLiveTraffic } from "../live-traffic.ts";
import { describeLogs } from "../logs.ts";
import { describeSecureTargets } from "../secure-targets.ts";
import { describePolicy } from "../policy.ts";
import { describeSettings } from "../settings.ts";
import { describeStart } from "../start.ts";
import { describeTargetCertificates } from "../target-certificates.ts";
import { describeStalledEntry } from "../targets.ts";
import { describeTargetsFile } from "../targets-file.ts";
import { describeTokenFiles } from "../token-files.ts";
import { declareOnce, declareWith } from "../../support/capabilities.ts";
import { Pool } from "../../support/pool.ts";
import type { RuntimeName } from "../../support/proxy.ts";

/** Declares the suite for one runtime. */
export function conformanceProcess(runtime: RuntimeName): void {
  describe(`the process on ${runtime}`, () => {
    const pool = new Pool(runtime);
    afterAll(() => pool.stop());

    describeStart(pool);
    describeConcurrent(pool);
    describeLogs(pool);
    declareOnce(runtime, () => {
      describeClient(pool);
      describeSealedFetch(pool);
    });
    describeLiveTraffic(pool);
    describeStalledEntry(pool);
    declareWith(runtime, "authorities of its environment", () => describeCertificates(pool));
    declareWith(runtime, "a command line", () => {
      describeAudit(pool);
      declareOnce(runtime, () => describeCaptureProcesses(pool));
      describeCaptureOpen(pool);
      describeCommand(pool);
      describeSettings(pool);
      describeTargetsFile(pool);
    });
    declareOnce(runtime, () => {
      describePolicy(pool);
      describeTokenFiles(pool);
    });
    declareWith(runtime, "connections of its own", () => {
      describeKeptTrust(runtime);
      describeTargetCertificates(runtime);
      describeSecureTargets(runtime);
    });
  });
}
