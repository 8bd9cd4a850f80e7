/**
 * A setting that stops the start, which only a runtime can tell: one line that names it, its value and what was expected.
 * @module
 */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CERT_FILE } from "../support/certificate.ts";
import { type Pool, runToExit } from "../support/topic.ts";

export function describeSettings(pool: Pool): void {
  it("a TLS_KEY of another certificate stops the start", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const TLS_KEY = join(folder, "other");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    writeFileSync(TLS_KEY, privateKey.export({ type: "pkcs8", format: "pem" }));
    const { code, stderr } = await runToExit(pool.runtime, { PORT: "0", TLS_CERT: CERT_FILE, TLS_KEY });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(/TLS_KEY.*expected|expected.*TLS_KEY/);
    expect(code).toBe(1);
  });
}
