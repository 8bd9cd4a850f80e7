/**
 * Settings that stop the start: one line that names the setting, its value and what was expected.
 * @module
 */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CERTIFICATE } from "../support/certificate.ts";
import { listen, type Pool, runToExit } from "../support/topic.ts";

export function describeSettings(pool: Pool): void {
  describe.concurrent("a bad setting stops the start", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const other = privateKey.export({ type: "pkcs8", format: "pem" });
      const files = { cert: CERTIFICATE, other };
      await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
      return () => rm(folder, { recursive: true });
    });

    // Each setting's bad values are units; these two only a runtime can tell.
    it("a TLS_KEY of another certificate", async () => {
      const settings = { PORT: "0", TLS_CERT: join(folder, "cert"), TLS_KEY: join(folder, "other") };
      const { code, stderr } = await runToExit(pool.runtime, settings);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toMatch(/TLS_KEY.*expected|expected.*TLS_KEY/);
      expect(code).toBe(1);
    });

    it("PORT in use", async () => {
      const upstream = await listen();
      const { code, stderr } = await runToExit(pool.runtime, { PORT: String(upstream.port) });
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toMatch(/port.*in use/i);
      expect(code).toBe(1);
      await upstream.close();
    });
  });
}
