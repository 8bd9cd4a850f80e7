/**
 * Capture while the console is open: the first row that is clicked has its bodies, the bar says so, and no page begins it.
 * @module
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CaptureState } from "../../src/parts/capture/capture.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import type { Stage } from "./stage.ts";
import { rowsOf } from "./traffic.ts";

/** Declares the tests. */
export function describeWhileOpen(stage: Stage): void {
  describe("capture while the console is open", () => {
    let proxy: Proxy;
    beforeAll(async () => {
      stage.resetTarget();
      proxy = await startProxy(stage.runtime, { LOG: "off" });
    });
    afterEach(() => proxy.call("POST /__proxy__/capture", { body: '{"mode":"console"}' }));
    afterAll(() => proxy.stop());

    const send = (path: string) =>
      proxy.call(`POST ${path}`, { fields: { proxy_host: stage.target.origin }, body: "from outside" });
    const keptBytes = async () =>
      ((await proxy.call("GET /__proxy__/capture")).json() as CaptureState).bodyBytes;

    it("shows a request from outside whole, says so in the bar, and is turned off there", async () => {
      const page = await stage.visitAt(proxy.origin);
      const pane = page.getByRole("region", { name: "Inspected request" });
      const bar = page.locator("#capture");
      await bar.getByLabel("Capturing").waitFor();
      expect(await bar.locator("option:checked").textContent()).toBe("while this page is open");
      expect(await page.textContent("#capture-line"))
        .toMatch(/^Headers and 1 MiB of each body from callers on this machine are kept/);
      await send("/order");
      await rowsOf(page).filter({ hasText: "/order" }).click();
      await pane.getByText("from outside").first().waitFor();
      await pane.getByText("teapot").first().waitFor();
      // New rows wait while the pointer or the focus is on the list.
      await bar.hover();
      await bar.getByRole("combobox").focus();
      await bar.getByRole("combobox").selectOption("off");
      await expect.poll(keptBytes).toBeNull();
      await bar.getByText("Capture", { exact: true }).waitFor();
      await send("/moved");
      await rowsOf(page).filter({ hasText: "/moved" }).click();
      await pane.getByText("was not captured").waitFor();
      await bar.getByRole("combobox").selectOption("console");
      await bar.getByLabel("Capturing").waitFor();
      expect(stage.visit.troubles.filter((trouble) => !trouble.includes("404"))).toEqual([]);
      await page.close();
      await expect.poll(keptBytes).toBeNull();
    });

    it("begins in a console that a page has opened only when it is used", async () => {
      await stage.visitAt(proxy.origin, { path: "/__proxy__/none" });
      const { page, context } = stage.visit;
      const cookie = {
        name: "proxy_host",
        value: encodeURIComponent(stage.target.origin),
        url: proxy.origin,
      };
      await context.addCookies([cookie]);
      await page.goto(`${proxy.origin}/page`);
      const opening = context.waitForEvent("page");
      await page.evaluate(() => void open("/__proxy__/"));
      const opened = await opening;
      await opened.getByText("Live", { exact: true }).waitFor();
      await opened.locator("#capture").waitFor();
      expect([await keptBytes(), await opened.inputValue("#capture-mode")]).toEqual([null, "off"]);
      await opened.keyboard.press("Shift");
      await expect.poll(keptBytes).toBe(1_048_576);
      await opened.locator("#capture").getByLabel("Capturing").waitFor();
      await opened.close();
    });
  });
}
