/**
 * Runs the test of own bytes (`test/conformance/own-bytes.ts`) with a hundred times as many bytes.
 * @module
 */
import { spawnSync } from "node:child_process";
import { ROOT, type RuntimeName } from "../../test/support/proxy.ts";

const BYTES = "1e9";

/**
 * Runs the test on one runtime.
 *
 * @returns true if no response held bytes of another
 */
export function soakOwnBytes(runtime: RuntimeName): boolean {
  const file = `test/conformance/all/${runtime}-own-bytes.test.ts`;
  const args = ["vitest", "run", "--config", "vitest.all.config.ts", "--project", "conformance", file];
  const env = { ...process.env, OWN_BYTES: BYTES };
  return spawnSync("npx", args, { cwd: ROOT, env, stdio: "inherit" }).status === 0;
}
