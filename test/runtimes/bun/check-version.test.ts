/** Which Bun may serve the proxy, by Bun's own order of versions. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { grouped } from "../../support/rows.ts";
import { ROOT } from "../../support/proxy.ts";

/** Asks a Bun that plays another one; gives what it says against it. */
function refusalOf(version: string): string {
  const code = `import { checkBun } from "./src/runtimes/bun/check-version.ts";
    try { checkBun("${version}"); } catch (error) { console.log(error.name + ": " + error.message); }`;
  return execFileSync("node_modules/.bin/bun", ["-e", code], { cwd: ROOT, encoding: "utf8" }).trim();
}

describe("the version of Bun", () => {
  it.each(grouped(["isRefused", "version"], [
    [true, ["1.3.14", "1.4.4", "1.4.5-canary.20261001.1"]],
    [false, ["1.4.5", "1.4.6-canary.1", "1.10.0", "2.0.0"]],
  ]))("$version is refused: $isRefused", ({ version, isRefused }) => {
    const said = isRefused ? `ConfigError: Bun is ${version}, expected 1.4.5 or later` : "";
    expect(refusalOf(version)).toBe(said);
  });

  it("that is needed stands in the manifest, too", () => expect(manifest.engines.bun).toBe(">=1.4.5"));
});
