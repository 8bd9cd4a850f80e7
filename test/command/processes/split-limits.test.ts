/** What one of several processes gets of the limits. */
import { expect, it } from "vitest";
import { readConfig } from "../../../src/core/settings/config.ts";
import { splitLimits } from "../../../src/command/processes/secondary.ts";

it("gives each process its part", () => {
  const config = readConfig({ WORKERS: "3", MAX_CONCURRENT: "10", CAPTURE_BYTES: "4MiB" });
  expect(splitLimits(config, 8081))
    .toMatchObject({ port: 8081, workers: 1, maxConcurrent: 3, captureBytes: Math.floor(4_194_304 / 3) });
});
