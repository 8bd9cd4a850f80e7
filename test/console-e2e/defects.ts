/**
 * What a review found wrong with the page as a daily tool. Numbers are those of its list.
 * @module
 */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { inspect, pane } from "./captured.ts";
import type { Stage } from "./stage.ts";
import { openList, rowsOf } from "./traffic.ts";

const LONG_HOST = `${"some-very-long-service-name.".repeat(2)}invalid`;

/** The pixels of a row's texts that are seen, and those that they need, by their class. */
function readTexts(row: HTMLElement): Record<string, [seen: number, needed: number]> {
  const texts = [...row.querySelectorAll<HTMLElement>(".path, .why")];
  return Object.fromEntries(texts.map((text) => [text.classList[0], [text.clientWidth, text.scrollWidth]]));
}

/** Drags the edge of the pane to this place of the window. */
async function dragEdge(page: Page, x: number): Promise<void> {
  const edge = await page.getByRole("separator", { name: "Width of the request" }).boundingBox();
  await page.mouse.move(edge!.x + 4, 300);
  await page.mouse.down();
  await page.mouse.move(x, 300, { steps: 4 });
  await page.mouse.up();
}

/** Declares the tests. */
export function describeDefects(stage: Stage): void {
  const send = (line: string, fields = {}) =>
    stage.proxy.call(line, { fields: { proxy_host: stage.target.origin, ...fields } });

  describe("the page", () => {
    it("adapts to the width that the pane leaves to the list (D3)", async () => {
      const page = await openList(stage, { viewport: { width: 1_440, height: 900 } });
      await send("GET /order/of/a/teapot");
      await inspect(page, "/order");
      for (const x of [1_000, 720, 500, 360]) {
        await dragEdge(page, x);
        const row = rowsOf(page).first();
        expect((await pane(page).boundingBox())!.x).toBeCloseTo(x, -1);
        const { path } = await row.evaluate(readTexts);
        expect(path![0], `${x} px`).toBeGreaterThanOrEqual(path![1]);
        expect((await row.locator(".target").boundingBox())!.width).toBeGreaterThan(180);
      }
    });

    it("shows path, reason and query beside a long host in each width (D5)", async () => {
      const page = await openList(stage);
      await send("GET /carts?id=7", { proxy_host: `http://${LONG_HOST}` });
      const row = rowsOf(page).filter({ hasText: "dns error" });
      await row.locator(".query", { hasText: "?id=7" }).waitFor();
      for (const width of [1_440, 1_024, 720, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const texts = await row.evaluate(readTexts);
        expect(Object.keys(texts)).toEqual(["path", "why"]);
        expect(Object.values(texts).filter(([seen, needed]) => seen < needed), `${width} px`).toEqual([]);
      }
      await row.click();
      await expect.poll(() => pane(page).locator("h3").textContent()).toContain(`${LONG_HOST}/carts?id=7`);
    });

    it("says whose response it is, in sentence, tab and body (D11)", async () => {
      const page = await openList(stage);
      await send("GET /metadata", { proxy_host: "http://169.254.169.254" });
      await inspect(page, "/metadata");
      await pane(page).locator(".whose", { hasText: "403 refused by the proxy" }).waitFor();
      await pane(page).getByRole("tab", { name: "Response" }).first().click();
      expect(await pane(page).locator("h4:visible").first().textContent()).toBe("Response of the proxy");
    });

    it("says that capture is on for good, in one kind of unit, also after off and on (D14, D28)", async () => {
      const page = await openList(stage);
      const line = () => page.locator("#capture-line").textContent();
      const isForGood = async () => {
        await expect.poll(line).toMatch(/^Headers and 64 KiB of each body are kept.* of \d+ MiB\.$/);
        expect(await line()).not.toMatch(/\d [kMG]B/);
        expect(await page.locator("#capture-mode option:checked").textContent()).not.toContain("10 min");
      };
      await isForGood();
      await page.selectOption("#capture-mode", "off");
      await expect.poll(line).toMatch(/^Capture is off/);
      await page.selectOption("#capture-mode", "64KiB");
      await isForGood();
    });

    it("shows all tabs of a request on a phone (D27)", async () => {
      const page = await openList(stage, { viewport: { width: 390, height: 844 } });
      await send("GET /order");
      await inspect(page, "/order");
      const edges = await pane(page).getByRole("tablist").first().getByRole("tab").evaluateAll((all) =>
        all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().right)
      );
      expect(edges).toHaveLength(6);
      expect(Math.max(...edges)).toBeLessThanOrEqual(390);
    });
  });
}
