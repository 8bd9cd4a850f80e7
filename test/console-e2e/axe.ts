/**
 * What axe finds at fault in a page: colours, names, roles, order.
 * @module
 */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { resolveApp } from "../support/apps.ts";

/** Axe in the page. What it finds good need not be told. */
interface Axe {
  axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

/** Each fault as its rule and the element. The page's policy does not hold for what the test itself evaluates. */
export async function findFaults(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.evaluate(await readFile(resolveApp("axe-core/axe.min.js"), "utf8"));
  return await page.evaluate(async () => {
    // Selectors of all that it looks at, which nobody reads, are half of its time.
    const options = { resultTypes: ["violations"], selectors: false, elementRef: false };
    const { violations } = await (globalThis as unknown as Axe).axe.run(options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}
