/**
 * Live traffic in the console: what is shown, to whom, and what it costs. Numbers of defects are those of the review that
 * found them.
 * @module
 */
import { describe, expect, it, onTestFinished } from "vitest";
import type { Locator, Page } from "playwright-core";
import { startProxy } from "../support/proxy.ts";
import { flood, QuickTarget } from "../support/traffic.ts";
import { showView, type Stage } from "./stage.ts";
import { waitFor } from "../support/wait.ts";
import { rowsOf as tableOf } from "../support/rows.ts";

/** The rows of the list. */
export function rowsOf(page: Page): Locator {
  return page.locator("#traffic-rows").getByRole("row");
}

/** Opens a console that is connected, with the list in view, and without what tests before have left in it. */
export async function openList(stage: Stage, options: Parameters<Stage["open"]>[0] = {}): Promise<Page> {
  const page = await stage.open(options);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.locator("#traffic-scroll").scrollIntoViewIfNeeded();
  await clearList(page);
  return page;
}

/** Clears the list until nothing is in it: rows go with the next frame, and requests of before may still come. */
export function clearList(page: Page): Promise<void> {
  return waitFor(async () => {
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await rowsOf(page).count()).toBe(0);
  });
}

/** A target for many requests, until the test is over. */
export async function startQuick(): Promise<QuickTarget> {
  const target = await new QuickTarget().start();
  onTestFinished(() => target.close());
  return target;
}

/** True if the list is said to be empty in the frame in which its first row is there. */
function seesEmptyBesideRow(page: Page): Promise<boolean | undefined> {
  return page.evaluate(() =>
    new Promise((resolve) => {
      const look = () => {
        const hasRow = document.querySelector("#traffic-rows > :not([hidden])") !== null;
        if (hasRow) resolve(document.querySelector("#traffic-empty")?.checkVisibility());
        else requestAnimationFrame(look);
      };
      look();
    })
  );
}

/** Declares the tests. */
export function describeTraffic(stage: Stage): void {
  const send = (path: string, fields = {}) =>
    stage.proxy.call(`GET ${path}`, { fields: { proxy_host: stage.target.origin, ...fields } });

  describe("live traffic", () => {
    it("shows requests of others as they come, without what is secret", async () => {
      const capture = (mode: string) =>
        stage.proxy.call("POST /__proxy__/capture", { body: JSON.stringify({ mode }) });
      await capture("off");
      const page = await openList(stage);
      await send("/order?token=s3cret", { Authorization: "Bearer s3cret" });
      const row = rowsOf(page).filter({ hasText: "/order…" }).filter({ hasText: "header" }).first();
      await row.waitFor();
      expect(await row.getByRole("gridcell").allTextContents()).toEqual([
        expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/),
        "GET",
        "201",
        `/order…${stage.target.host}`,
        "header",
        "43 B",
        expect.stringMatching(/ m?s$/),
        "",
      ]);
      expect(await page.content()).not.toContain("s3cret");
      await row.click();
      await page.locator("#inspector").getByRole("button", { name: "Edit" }).click();
      expect(await page.inputValue("#address")).toBe(`${stage.target.origin}/order`);
      await capture("console");
    });

    it("does not say that there are no requests beside the first row", async () => {
      const page = await openList(stage);
      const isEmpty = () => page.evaluate(() => document.querySelector("#traffic-empty")?.checkVisibility());
      expect(await isEmpty()).toBe(true);
      const seen = seesEmptyBesideRow(page);
      await send("/order");
      expect(await seen).toBe(false);
    });

    it("has no wall of buttons: those of the picked row, and none in the list", async () => {
      const page = await openList(stage);
      await send("/order");
      const row = rowsOf(page).filter({ hasText: "/order" }).first();
      await row.waitFor();
      expect(await page.locator("#traffic-rows button").count()).toBe(0);
      await row.click();
      expect(await row.getAttribute("aria-selected")).toBe("true");
      await page.locator("#inspector").getByRole("button", { name: "Replay" }).click();
      await expect.poll(() => stage.target.requests.length).toBe(2);
    });

    it("is filtered by fields, with chips, and names what it does not understand", async () => {
      const page = await openList(stage);
      await send("/order?filtered");
      await send("/moved?filtered");
      const filter = page.getByLabel("Filter", { exact: true });
      await page.locator("body").press("/");
      expect(await filter.evaluate((field) => field === document.activeElement)).toBe(true);
      await filter.fill("status:201 path:/order");
      const readStatuses = async () => [...new Set(await rowsOf(page).locator(".code").allTextContents())];
      await expect.poll(readStatuses).toEqual(["201"]);
      await page.getByRole("button", { name: "Remove the filter status:201" }).click();
      expect(await filter.inputValue()).toBe("path:/order");
      await filter.fill("hots:api");
      await page.getByText("hots:api names no field").waitFor();
      expect(await filter.getAttribute("aria-invalid")).not.toBeNull();
      await filter.fill("get nothing-like-that");
      await page.getByText("No request matches the filter").waitFor();
      await filter.press("Escape");
      await rowsOf(page).first().waitFor();
    });

    it("waits while it is on hold, and is cleared", async () => {
      const page = await openList(stage);
      await send("/order?before");
      await rowsOf(page).first().waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      const count = await rowsOf(page).count();
      await send("/page");
      await page.getByRole("button", { name: "1 new", exact: true }).waitFor();
      expect(await rowsOf(page).count()).toBe(count);
      await page.getByRole("button", { name: "1 new", exact: true }).click();
      await rowsOf(page).filter({ hasText: "/page" }).first().waitFor();
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await page.getByText("No requests yet").waitFor();
      await expect.poll(() => rowsOf(page).count()).toBe(0);
    });

    it("defects 5, 6 and 24: the charts count what no list holds, and say what is now", async () => {
      const target = await startQuick();
      const page = await openList(stage);
      await flood(stage.proxy.port, target.origin, 3_000);
      const late = await stage.visit.context.newPage();
      await late.goto(page.url());
      for (const one of [page, late]) await one.getByRole("button", { name: /^Charts/ }).click();
      const total = async (one: Page) =>
        Number(/([\d,]+) in 2 min/.exec(await one.locator("#charts").innerText())?.[1]?.replaceAll(",", ""));
      await expect.poll(() => total(late)).toBeGreaterThanOrEqual(3_000);
      // Tests before this one have sent requests that may leave the two minutes now.
      await expect.poll(async () => await total(page) - await total(late)).toBe(0);
      const headline = late.locator("#charts strong").first();
      await expect.poll(() => headline.textContent()).toBe("0 req/s");
      await late.getByRole("slider", { name: /^Latency/ }).hover();
      expect(await late.locator("#charts .scale").nth(1).textContent()).toMatch(/^\d\d:\d\d:\d\d: /);
      const plot = late.getByRole("slider", { name: /^Throughput/ });
      await plot.focus();
      await late.keyboard.press("Home");
      expect(await plot.getAttribute("aria-valuetext")).toMatch(/^\d\d:\d\d:\d\d: [\d.,]+k? req\/s, /);
      await late.getByLabel("Filter", { exact: true }).fill("path:/flood status:500");
      await expect.poll(() => total(late)).toBe(0);
      expect(await late.locator("#charts").innerText()).toContain("listed and filtered");
    });

    it("keeps a switch of capture where the proxy has one", async () => {
      const page = await stage.open();
      const asked: unknown[] = [];
      let state = { bodyBytes: null as number | null, requests: 0, bytes: 0, maxBytes: 64_000_000 };
      await page.route("**/__proxy__/capture", async (route) => {
        const body = route.request().postDataJSON() as unknown;
        const fields = await route.request().allHeaders();
        asked.push([body, fields["x-fetchvia-ticket"] !== undefined, fields["x-fetchvia-viewer"]?.length]);
        state = body ? { ...state, bodyBytes: 65_536, requests: 2, bytes: 900 } : state;
        await route.fulfill({ json: state });
      });
      await page.reload();
      await page.getByText("Capture is off: headers and bodies are not kept.").waitFor();
      expect(await page.getByRole("button", { name: "Save HAR" }).isDisabled()).toBe(true);
      await page.getByLabel("Capture").selectOption("64KiB");
      await expect.poll(() => page.textContent("#capture-line")).toContain(
        "Headers and 64 KiB of each body are kept in memory only, secrets of headers masked: 2 requests",
      );
      // It asks for the state now and then, too.
      expect(asked).toContainEqual([null, true, 32]);
      expect(asked).toContainEqual([{ mode: "64KiB", minutes: 10 }, true, 32]);
      await page.route("**/__proxy__/traffic.har", (route) => route.fulfill({ json: { log: {} } }));
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Save HAR" }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe("traffic.har");
    });

    it.each(tableOf(["settings", "path", "state"], [
      [{ PRIVATE_TARGETS: "false" }, "/__proxy__/", /^Live traffic is off/],
      [{ PRIVATE_TARGETS: "false", PROXY_TOKEN: "t" }, "/__proxy__/?token=t", /^Live$/],
    ]))("with $settings, opened at $path: $state", async ({ settings, path, state }) => {
      const other = await startProxy(stage.runtime, { ...settings, LOG: "off" });
      await stage.visitAt(other.origin, { path });
      await showView(stage.visit.page, "Traffic");
      await stage.visit.page.getByText(state).first().waitFor();
      expect(stage.visit.page.url()).toBe(`${other.origin}/__proxy__/#traffic`);
      await other.stop("SIGKILL");
    });
  });
}
