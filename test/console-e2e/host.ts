/**
 * The host in the console: set, switched, cleared, with and without JavaScript.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Stage } from "./stage.ts";

/** Declares the tests. */
export function describeHost(stage: Stage): void {
  describe("the host", () => {
    it("is set, shown, and where the browser goes then", async () => {
      const page = await stage.open();
      expect(await page.locator("#host-target").textContent()).toContain("nowhere yet");
      await page.getByLabel("Base address of the host").fill(stage.target.origin);
      await page.getByRole("button", { name: "Set host" }).click();
      await page.getByText("set by cookie", { exact: true }).waitFor();
      expect(await page.locator("#host-target").textContent()).toContain(stage.target.origin);
      const [shop] = await Promise.all([
        stage.visit.context.waitForEvent("page"),
        page.getByRole("link", { name: "Open the host" }).click(),
      ]);
      await shop.waitForLoadState();
      expect([shop.url(), await shop.title()]).toEqual([`${stage.proxy.origin}/`, "Shop"]);
      await page.reload();
      expect(await page.locator("#host-selector").textContent()).toBe("set by cookie");
    });

    it("is switched by recent hosts, which outlive the page, and cleared", async () => {
      const page = await stage.open();
      for (const host of ["https://one.test", stage.target.origin]) {
        await page.getByLabel("Base address of the host").fill(host);
        await page.keyboard.press("Enter");
        await page.locator(`#host-target:has-text("${host}")`).waitFor();
      }
      await page.reload();
      const field = page.getByLabel("Base address of the host");
      await field.click();
      await page.getByRole("button", { name: "one.test", exact: true }).click();
      await page.locator("#host-target:has-text('https://one.test')").waitFor();
      await field.click();
      await page.getByRole("button", { name: `Forget ${stage.target.origin}` }).click();
      expect(await page.locator("#recents-list li").count()).toBe(1);
      await page.getByRole("link", { name: "Clear the host" }).click();
      await page.locator("#host-selector", { hasText: "no host is set" }).waitFor();
      expect(await stage.visit.context.cookies()).toEqual([]);
    });

    it("is among eight recent ones, whose order stays (defect 33), in a box that Escape closes", async () => {
      const page = await stage.open();
      const hosts = Array.from({ length: 8 }, (_, at) => `https://shop-${at}.a-longer-name.example.test`);
      await page.evaluate((kept) => localStorage.setItem("fetchvia.hosts", kept), JSON.stringify(hosts));
      await page.reload();
      const picks = page.locator("#recents-list .pick");
      const names = hosts.map((host) => host.replace("https://", ""));
      expect(await picks.allTextContents()).toEqual(names);
      const field = page.getByLabel("Base address of the host");
      await field.click();
      await picks.nth(2).click();
      await page.locator("#recents-list .current", { hasText: "shop-2." }).waitFor({ state: "attached" });
      expect(await picks.allTextContents()).toEqual(names);
      await field.click();
      await picks.first().waitFor();
      await field.press("Escape");
      await picks.first().waitFor({ state: "hidden" });
    });

    it("is told why it is refused", async () => {
      const page = await stage.open();
      await page.getByLabel("Base address of the host").fill("https://a.test/?q");
      await page.getByRole("button", { name: "Set host" }).click();
      await page.getByText("not a base address").waitFor();
    });

    it("can be cleared where a cookie is malformed", async () => {
      const page = await stage.open();
      await stage.visit.context.addCookies([{ name: "proxy_host", value: "evil", url: stage.proxy.origin }]);
      await page.reload();
      await page.getByText("Cannot use cookie proxy_host").waitFor();
      await page.getByRole("link", { name: "Clear" }).click();
      await page.locator("#host-selector", { hasText: "no host is set" }).waitFor();
    });

    it("is set and cleared without JavaScript", async () => {
      const page = await stage.open({ javaScriptEnabled: false });
      await page.fill("#host-input", stage.target.origin);
      await page.click("text=Set host");
      expect(await page.textContent("#host-selector")).toBe("set by cookie");
      await page.click("#host-clear");
      expect(await page.textContent("#host-selector")).toBe("no host is set");
    });
  });
}
