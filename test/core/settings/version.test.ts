/** The version: one, in the code and in both manifests. */
import { expect, it } from "vitest";
import deno from "../../../deno.json" with { type: "json" };
import manifest from "../../../package.json" with { type: "json" };
import { VERSION } from "../../../src/core/settings/version.ts";

it.each([
  { name: "package.json", version: manifest.version },
  { name: "deno.json", version: deno.version },
])("$name says the same", ({ version }) => expect(version).toBe(VERSION));

it("is SemVer, and fits a user agent", () => expect(VERSION).toMatch(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/));
