/**
 * The weight of the page: what a browser loads before it paints first, and what it loads after that.
 * @module
 */
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { FILES, PAGE } from "../../../src/parts/console/assets.ts";

const textOf = (name: string) => gunzipSync(Buffer.from(FILES[name] ?? "", "base64")).toString();

/** The script with all that it imports at once. */
function listImports(name: string, known = new Set<string>()): Set<string> {
  known.add(name);
  const imports = [...textOf(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)];
  for (const [, imported = ""] of imports) if (!known.has(imported)) listImports(imported, known);
  return known;
}

it("stays under 100 KiB until the first paint, and under 50 kB on the wire", () => {
  const names = ["console.css", ...listImports("console.js")];
  expect(names).not.toContain("console-inspector.css");
  const bytes = names.reduce((sum, name) => sum + textOf(name).length, PAGE.length);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(102_400);
  const packed = names.reduce(
    (sum, name) => sum + Buffer.from(FILES[name] ?? "", "base64").length,
    PAGE.length,
  );
  expect(packed).toBeLessThan(50_000);
});

it("weighs at most 110 KiB on the wire, with all that is loaded after the first paint", () => {
  const bytes = Object.values(FILES).reduce((sum, text) => sum + Buffer.from(text, "base64").length, 0);
  expect(bytes).toBeLessThan(112_640);
});
