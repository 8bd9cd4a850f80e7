/**
 * Which Bun may serve the proxy, by Bun's own order of versions.
 * @module
 */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { ROOT } from "../../support/proxy.ts";

/** Asks a Bun that plays another one; gives what it says against it. */
function refusalOf(version: string): string {
  const code = `import { checkBun } from "./src/runtimes/bun/version.ts";
    try { checkBun("${version}"); } catch (error) { console.log(error.name + ": " + error.message); }`;
  return execFileSync("node_modules/.bin/bun", ["-e", code], { cwd: ROOT, encoding: "utf8" }).trim();
}

describe("the version of Bun", () => {
  it.each([
    { version: "1.3.14", isRefused: true },
    { version: "1.4.4", isRefused: true },
    { version: "1.4.5-canary.20261001.1", isRefused: true },
    { version: "1.4.5", isRefused: false },
    { version: "1.4.6-canary.1", isRefused: false },
    { version: "1.10.0", isRefused: false },
    { version: "2.0.0", isRefused: false },
  ])("$version is refused: $isRefused", ({ version, isRefused }) => {
    const said = isRefused ? `ConfigError: Bun is ${version}, expected 1.4.5 or later` : "";
    expect(refusalOf(version)).toBe(said);
  });

  it("that is needed stands in the manifest, too", () => {
    expect(manifest.engines.bun).toBe(">=1.4.5");
  });
});
