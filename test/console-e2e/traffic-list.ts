/**
 * The list of live traffic under load and by keyboard: rows stay where they are, and the page stays quick.
 * @module
 */
import { describe, expect, it } from "vitest";
import { chunked } from "../support/answers.ts";
import { open, request } from "../support/client.ts";
import { flood, flow } from "../support/traffic.ts";
import type { Stage } from "./stage.ts";
import { openList, rowsOf, startQuick } from "./traffic.ts";

/** The width at which rows have two lines. */
const PHONE = { width: 390, height: 844 };

/** Declares the tests. */
export function describeTrafficList(stage: Stage): void {
  describe("the list of live traffic", () => {
    it.each([{ width: 1_440, height: 900, least: 30 }, { width: 1_024, height: 768, least: 24 }])(
      "shows $least rows and more when it is opened at $width x $height, beside the bar of 40 px",
      async (size) => {
        const target = await startQuick();
        await flood(stage.proxy.port, target.origin, 60);
        const page = await stage.open({ viewport: size });
        await rowsOf(page).nth(size.least).waitFor();
        const { whole, heights, bar, scrolled } = await page.evaluate(() => {
          const { bottom } = document.querySelector("#traffic-scroll")!.getBoundingClientRect();
          const rows = [...document.querySelectorAll("#traffic-rows > [role=row]")];
          return {
            whole: rows.filter((row) => row.getBoundingClientRect().bottom <= bottom).length,
            heights: [...new Set(rows.map((row) => row.getBoundingClientRect().height))],
            bar: document.querySelector(".bar")!.getBoundingClientRect().height,
            scrolled: document.documentElement.scrollHeight - innerHeight,
          };
        });
        expect(whole).toBeGreaterThanOrEqual(size.least);
        expect([heights, bar, scrolled]).toEqual([[24], 40, 0]);
      },
    );

    it("is sorted by a column, which says so", async () => {
      const page = await openList(stage);
      for (const path of ["/order", "/moved", "/page"]) {
        await stage.proxy.call(`GET ${path}`, { fields: { proxy_host: stage.target.origin } });
      }
      await rowsOf(page).nth(2).waitFor();
      const head = page.getByRole("columnheader", { name: "Path" });
      const paths = () => page.locator("#traffic-rows .path").allTextContents();
      await head.getByRole("button").click();
      await expect.poll(paths).toEqual(["/moved", "/order", "/page"]);
      expect(await head.getAttribute("aria-sort")).toBe("ascending");
      await head.getByRole("button").press("Enter");
      await expect.poll(paths).toEqual(["/page", "/order", "/moved"]);
    });

    it("is filtered by one click, and keeps a filter over a reload", async () => {
      const page = await openList(stage);
      await stage.proxy.call("GET /none", { fields: { proxy_host: stage.target.origin } });
      await rowsOf(page).first().waitFor();
      await page.getByRole("button", { name: /^4xx/ }).click();
      expect(await page.getByLabel("Filter", { exact: true }).inputValue()).toBe("status:4xx");
      await page.getByLabel("Filter", { exact: true }).fill("path:none");
      await page.getByRole("button", { name: "Save filter" }).click();
      await expect.poll(() => page.url()).toMatch(/#f=path%3Anone$/);
      await page.reload();
      const saved = page.getByRole("button", { name: /^path:none/ });
      await expect.poll(() => saved.getAttribute("aria-pressed")).toBe("true");
      await page.getByRole("button", { name: "Forget", exact: true }).click();
      await saved.waitFor({ state: "hidden" });
    });

    it("defect 22: a row under the pointer stays, and what is new is counted", async () => {
      const target = await startQuick();
      const page = await openList(stage);
      await flow(stage.proxy.port, target.origin, 20, 500);
      const row = rowsOf(page).filter({ hasText: "/flow" }).first();
      await row.hover();
      const id = await row.getAttribute("id");
      const box = await page.locator(`#${id}`).boundingBox();
      const many = await flow(stage.proxy.port, target.origin, 16, 1_500);
      const fresh = page.getByRole("button", { name: /^\d+ new$/ });
      await expect.poll(async () => parseInt(await fresh.textContent() ?? "")).toBeGreaterThanOrEqual(many);
      expect(await page.locator(`#${id}`).boundingBox()).toEqual(box);
      await fresh.click();
      await expect.poll(() => rowsOf(page).first().getAttribute("id")).not.toBe(id);
      await fresh.waitFor({ state: "hidden" });
    });

    it("defect 22: focus stays, and the keyboard leads through the list", async () => {
      const target = await startQuick();
      const page = await openList(stage);
      await flood(stage.proxy.port, target.origin, 300);
      await rowsOf(page).nth(1).waitFor();
      const list = page.getByRole("grid", { name: "Live traffic" });
      await list.focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      const current = () => list.getAttribute("aria-activedescendant");
      const second = await current();
      await flow(stage.proxy.port, target.origin, 50, 500);
      await page.getByRole("button", { name: /new$/ }).waitFor();
      expect(await current()).toBe(second);
      expect(await list.evaluate((grid) => grid === document.activeElement)).toBe(true);
      await page.keyboard.press("Enter");
      expect(await page.locator(`#${second}`).getAttribute("aria-selected")).toBe("true");
      await page.locator("#inspector").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("#inspector").waitFor({ state: "hidden" });
      const indexOf = async () =>
        Number(await page.locator(`#${await current()}`).getAttribute("aria-rowindex"));
      await page.keyboard.press("PageDown");
      expect(await indexOf()).toBeGreaterThan(8);
      await page.keyboard.press("End");
      expect(await indexOf()).toBe(Number(await list.getAttribute("aria-rowcount")));
      await page.keyboard.press("Home");
      expect(await indexOf()).toBe(2);
      await page.getByRole("button", { name: /new$/ }).waitFor({ state: "hidden" });
    });

    // What is too fast is counted, not listed.
    it("holds hundreds of requests in few elements, and shows each", async () => {
      const target = await startQuick();
      const page = await openList(stage);
      await flood(stage.proxy.port, target.origin, 1_200);
      const list = page.getByRole("grid", { name: "Live traffic" });
      await expect.poll(async () => Number(await list.getAttribute("aria-rowcount"))).toBeGreaterThan(400);
      expect(await page.locator(".log-rows .log-row").count()).toBeLessThan(60);
      await list.evaluate((grid) => void (grid.scrollTop = grid.scrollHeight));
      const last = () =>
        rowsOf(page).evaluateAll((rows) => Math.max(...rows.map((row) => Number(row.ariaRowIndex))));
      await expect.poll(last).toBe(Number(await list.getAttribute("aria-rowcount")));
    });

    it("defect 14: an event stream is a row while it runs; seconds count, bytes grow", async () => {
      const events = Array<string>(400).fill("data: tick\n\n");
      stage.target.answer = chunked(200, { "Content-Type": "text/event-stream" }, events, 250);
      const page = await openList(stage);
      const caller = await open(stage.proxy.port);
      caller.write(request("GET", "/events", { Host: "localhost", proxy_host: stage.target.origin }));
      const row = page.locator("#traffic-rows .running").filter({ hasText: "/events" });
      await row.waitFor();
      const cells = () => row.locator(".number").allTextContents();
      const [bytes] = await cells();
      await expect.poll(async () => (await cells())[1]).toMatch(/^[2-9] s…$/);
      expect(parseInt((await cells())[0]!)).toBeGreaterThan(parseInt(bytes!));
      await page.getByText("1 running").waitFor();
      await row.click();
      caller.destroy();
      await row.waitFor({ state: "detached" });
      const ended = rowsOf(page).filter({ hasText: "/events" });
      expect(await ended.getAttribute("aria-selected")).toBe("true");
      expect(await ended.locator(".why.soft").textContent()).toBe("closed by caller");
      stage.resetTarget();
    });

    it("has two lines a row on a phone, and no overflow", async () => {
      const page = await stage.open({ viewport: PHONE });
      await page.getByText("Live", { exact: true }).waitFor();
      await stage.proxy.call(`GET /${"long-path/".repeat(30)}`, {
        fields: { proxy_host: stage.target.origin },
      });
      const row = rowsOf(page).filter({ hasText: "long-path" }).first();
      await row.waitFor();
      const { y = 0, height } = await row.boundingBox() ?? {};
      expect(height).toBe(48);
      // Nothing was scrolled: it is seen when the page is opened.
      expect(y + 48).toBeLessThan(PHONE.height);
      const overflows = await page.evaluate(() =>
        [document.documentElement, document.querySelector("#traffic-scroll")!]
          .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      );
      expect(overflows).toEqual([0, 0]);
      expect(await row.locator(".target").getAttribute("title")).toContain("long-path/long-path/");
    });
  });
}
