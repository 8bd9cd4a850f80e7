/**
 * What the pane does with several requests, and with one that is handed on: compare, share, keep.
 * @module
 */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { inspect, pane } from "./captured.ts";
import { act, showView, type Stage } from "./stage.ts";
import { openList, rowsOf } from "./traffic.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

/** A stage whose target answers with the number of the request. */
function countRequests(stage: Stage): void {
  stage.target.answer = routes({
    "/item": reply(200, { ...JSON_TYPE, "X-Kind": "item" }, '{"id":1,"name":"teapot","price":18.5}'),
    "/other": reply(404, JSON_TYPE, '{"id":1,"name":"cup","price":18.5}'),
  });
}

/** Declares the tests. */
export function describeSeveral(stage: Stage): void {
  const to = () => ({ proxy_host: stage.target.origin });
  const send = (line: string, fields = {}, body?: string) =>
    stage.proxy.call(line, { fields: { ...to(), ...fields }, ...(body && { body }) });
  const button = (page: Page, name: string) => pane(page).getByRole("button", { name, exact: true });
  const compared = (page: Page) => pane(page).getByRole("tabpanel", { name: "Compare" });

  describe("two requests", () => {
    it.each([{ width: 390 }, { width: 1440 }])("are compared at $width px", async ({ width }) => {
      countRequests(stage);
      const page = await openList(stage, { viewport: { width, height: 800 } });
      await send("GET /item?first", { "x-same": "1", "x-a": "1" });
      await send("GET /other?second", { "x-same": "1", "x-b": "2" });
      await rowsOf(page).nth(1).waitFor();
      await inspect(page, "?first");
      await button(page, "Mark to compare").press("Enter");
      expect(await button(page, "Mark to compare").getAttribute("aria-pressed")).toBe("true");
      expect(await pane(page).getByRole("tab", { name: "Compare" }).count()).toBe(0);
      await page.keyboard.press("Escape");
      await inspect(page, "?second");
      await button(page, "Compare with marked").press("Enter");
      await compared(page).waitFor();
      expect(await compared(page).evaluate((panel) => panel === document.activeElement)).toBe(true);
      const rows = compared(page).locator("tr.changed, tr.removed, tr.added");
      const told = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
      const { origin } = stage.target;
      expect(told).toEqual(expect.arrayContaining([
        `≠ changed GET ${origin}/item?first GET ${origin}/other?second`,
        "− removed x-a: 1",
        "+ added x-b: 2",
        "≠ changed 200 Scripted 404 Scripted",
        "− removed X-Kind: item",
        '− removed "name": "teapot",',
        '+ added "name": "cup",',
      ]));
      expect(told.filter((text) => /x-same|price/.test(text))).toEqual([]);
      await compared(page).getByText("Request body: none.").waitFor();
      expect(await compared(page).locator("caption", { hasText: "Times" }).count()).toBe(1);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect([stage.visit.troubles, isWide]).toEqual([[], false]);
      await compared(page).getByLabel("Only what changed").check();
      expect(await compared(page).locator("tr.same:visible").count()).toBe(0);
      // First the comparison goes, then the pane. Another request has one of its own.
      await page.keyboard.press("Escape");
      await compared(page).waitFor({ state: "hidden" });
      expect(await pane(page).isVisible()).toBe(true);
      await page.keyboard.press("Escape");
      await pane(page).waitFor({ state: "hidden" });
      await inspect(page, "?first");
      expect(await pane(page).getByRole("tab", { name: "Compare" }).count()).toBe(0);
    });

    it("are compared as far as they are kept", async () => {
      const text = { "Content-Type": "text/plain" };
      stage.target.answer = routes({
        "/cut": reply(200, text, `${"a".repeat(70_000)}b`),
        "/other": reply(200, text, `${"a".repeat(70_000)}c`),
      });
      const page = await openList(stage);
      await send("GET /cut");
      await send("GET /other");
      await rowsOf(page).nth(1).waitFor();
      await inspect(page, "/cut");
      await button(page, "Mark to compare").click();
      await inspect(page, "/other");
      await button(page, "Compare with marked").click();
      await compared(page).getByText("Response body: the same, 65.5 kB, as far as they are kept.").waitFor();
    });

    it("are offered where one was made from the other", async () => {
      countRequests(stage);
      const page = await openList(stage);
      await send("GET /item?made", { "x-a": "1" });
      await inspect(page, "?made");
      await button(page, "Edit").click();
      const row = await page.getByLabel("Header name").count() - 1;
      await page.getByLabel("Header name").nth(row).fill("x-b");
      await page.getByLabel("Header value").nth(row).fill("2");
      await page.keyboard.press("Control+Enter");
      await page.locator(".summary").waitFor();
      await showView(page, "Traffic");
      await rowsOf(page).filter({ hasText: "?made" }).nth(1).waitFor();
      await inspect(page, "?made");
      await button(page, "Compare with original").click();
      const rows = compared(page).locator("table").first().locator("tr.changed, tr.removed, tr.added");
      expect(await rows.filter({ hasText: /x-/ }).allInnerTexts())
        .toEqual([expect.stringMatching(/added\s+x-b: 2$/)]);
      await compared(page).getByText("Response body: the same, 37 B.").waitFor();
    });
  });

  it("is copied as Markdown without its secrets, also where this page shows them", async () => {
    countRequests(stage);
    const page = await openList(stage, { permissions: ["clipboard-read", "clipboard-write"] });
    await showView(page, "Compose");
    await page.fill("#address", `${stage.target.origin}/item?token=s3cret-value`);
    await page.getByLabel("Header name").first().fill("authorization");
    await page.getByLabel("Header value").first().fill("Bearer s3cret-value");
    await page.keyboard.press("Control+Enter");
    await page.locator(".summary").waitFor();
    await showView(page, "Traffic");
    await inspect(page, "/item");
    await pane(page).getByText("Copy as…").click();
    await pane(page).getByLabel("Language").selectOption("Markdown");
    await pane(page).getByLabel("The request as code").getByText("### Request").waitFor();
    for (const copy of [() => button(page, "Copy the code").click(), () => act(page, "copy as markdown")]) {
      await page.evaluate(() => navigator.clipboard.writeText(""));
      await copy();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("### Times");
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).not.toContain("s3cret");
      expect(copied).toContain(`GET ${stage.target.origin}/item?token=***`);
      expect(copied).toContain('```json\n{\n  "id": 1,');
    }
  });

  const note = (page: Page) => pane(page).getByLabel("Note on the request");
  /** Opens the list with a request whose note is being written. */
  const openPinned = async () => {
    countRequests(stage);
    const page = await openList(stage);
    await send("GET /item?pinned");
    await send("GET /other?free");
    await rowsOf(page).nth(1).waitFor();
    await inspect(page, "?pinned");
    await button(page, "Pin").press("Enter");
    return page;
  };

  it("is pinned by keyboard, and its row has the note", async () => {
    const page = await openPinned();
    expect(await note(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type("The Teapot");
    await rowsOf(page).getByText("★ The Teapot").waitFor();
    await page.keyboard.press("Enter");
    expect(await button(page, "Pin").evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await button(page, "Pin").getAttribute("aria-pressed")).toBe("true");
    expect(stage.visit.troubles).toEqual([]);
  });

  it("stays in the list while it is pinned, and can be shown when the proxy keeps it no more", async () => {
    const page = await openPinned();
    await page.keyboard.type("The Teapot");
    // Each closes what is open: the note, the menu, the pane.
    await page.keyboard.press("Escape");
    expect(await button(page, "Pin").evaluate((one) => one === document.activeElement)).toBe(true);
    await pane(page).getByText("Copy as…").press("Enter");
    await button(page, "Copy the code").press("Escape");
    await button(page, "Copy the code").waitFor({ state: "hidden" });
    expect(await pane(page).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await pane(page).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await stage.proxy.call("DELETE /__proxy__/capture");
    await page.getByLabel("Filter", { exact: true }).fill("teapot");
    await inspect(page, "?pinned");
    await pane(page).getByText('"price": 18.5').waitFor();
    expect(await note(page).inputValue()).toBe("The Teapot");
    expect(await page.evaluate(() => JSON.stringify([localStorage, history.state]))).not.toContain("Teapot");
    await button(page, "Pin").click();
    await page.getByLabel("Filter", { exact: true }).fill("");
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(0);
    expect(stage.visit.troubles.filter((trouble) => !trouble.includes("404"))).toEqual([]);
  });
}
