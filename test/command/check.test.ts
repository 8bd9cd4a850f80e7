/** What `fetchvia check` says of a good table. @module */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { checkTable } from "../../src/command/check.ts";
import { readConfig } from "../../src/core/settings/config.ts";

it("tells of a good table without its keys", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "targets.json");
  const table = {
    "a.test": { set: { x: "{{FIRST_KEY}}" } },
    "10.0.0.1": { insecure: true },
    "s3.test": { sign: { aws: { region: "r", service: "s3", key: "AKID", secret: "{{FIRST_KEY}}" } } },
  };
  // With a byte order mark, as editors on Windows write it.
  writeFileSync(file, `\ufeff${JSON.stringify(table)}`);
  vi.stubEnv("FIRST_KEY", "s3cret");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await checkTable([file], readConfig({})))
    .toBe(`${file} is good: 3 entries, 1 key, 1 signed target, 1 unchecked target`);
});
