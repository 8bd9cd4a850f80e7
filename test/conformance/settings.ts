/**
 * Settings that stop the start: one line that names the setting, its value and what was expected.
 * @module
 */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { listen, type Pool, rowsOnce, runToExit, startProxy } from "../support/topic.ts";

/** What a process finds; each setting's bad values are units. */
const BAD = [
  { name: "PORT", value: "many" },
  // Bun would take it for every address.
  { name: "HOST", value: "*" },
  { name: "TARGETS", value: "/nowhere/targets.json" },
  { name: "WORKERS", value: "many" },
  { name: "TLS_CERT", value: "/nowhere/certificate.pem" },
];

export function describeSettings(pool: Pool): void {
  describe.concurrent("a bad setting stops the start", () => {
    let folder: string;
    const pair = (cert: string, key: string) => ({
      TLS_CERT: join(folder, cert),
      TLS_KEY: join(folder, key),
    });
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const other = privateKey.export({ type: "pkcs8", format: "pem" });
      const files = { cert: CERTIFICATE, key: PRIVATE_KEY, other };
      await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
      return () => rm(folder, { recursive: true });
    });

    it.each(rowsOnce(pool.runtime, BAD))("$name $value", async ({ name, value }) => {
      const { code, stderr } = await runToExit(pool.runtime, { PORT: "0", [name]: value });
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toContain(name);
      expect(stderr).toContain(value);
      expect(stderr).toMatch(/expected/i);
      expect(code).toBe(1);
    });

    it.each(rowsOnce(pool.runtime, [{ flags: ["--port", "many"] }, { flags: ["--port=many"] }]))(
      "$flags",
      async ({ flags }) => {
        const { code, stderr } = await runToExit(pool.runtime, {}, flags);
        expect(stderr.trim().split("\n")).toHaveLength(1);
        expect(stderr).toMatch(/port.*many.*expected/i);
        expect(code).toBe(1);
      },
    );

    it("--port -1", async () => {
      const { code, stderr } = await runToExit(pool.runtime, {}, ["--port", "-1"]);
      expect(stderr).toBe('fetchvia cannot start: --port is "-1", expected a whole number from 0 to 65535\n');
      expect(code).toBe(1);
    });

    it.each([
      { about: "of another certificate", settings: () => pair("cert", "other") },
      { about: "that stands alone", settings: () => ({ TLS_KEY: join(folder, "key") }) },
      { about: "that is the certificate", settings: () => pair("cert", "cert") },
    ])("a TLS_KEY $about", async ({ settings }) => {
      const { code, stderr } = await runToExit(pool.runtime, { PORT: "0", ...settings() });
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toMatch(/TLS_KEY.*expected|expected.*TLS_KEY/);
      expect(code).toBe(1);
    });

    it("PORT in use by another proxy", async () => {
      const proxy = await startProxy(pool.runtime, {});
      const { code, stderr } = await runToExit(pool.runtime, { PORT: String(proxy.port) });
      await proxy.stop("SIGKILL");
      expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
      expect(stderr).toMatch(/port.*in use/i);
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
