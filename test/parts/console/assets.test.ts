/**
 * The weight of the page: what a browser loads before it paints first, and what it loads when it is used.
 * @module
 */
import { expect, it } from "vitest";
import { FILES, PAGE } from "../../../src/parts/console/assets.ts";

/** The script with all that it imports at once. */
function listImports(name: string, known = new Set<string>()): Set<string> {
  known.add(name);
  const imports = [...(FILES[name] ?? "").matchAll(/(?:from|import)"\.\/([^"]+)"/g)];
  for (const [, imported = ""] of imports) if (!known.has(imported)) listImports(imported, known);
  return known;
}

it("stays under 100 kB until the first paint", () => {
  const names = ["console.css", ...listImports("console.js")];
  expect(names).not.toContain("console-inspector.css");
  const bytes = names.reduce((sum, name) => sum + (FILES[name] ?? "").length, PAGE.length);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(100_000);
});
