/**
 * The page of the console: how it looks, and who can use it.
 * @module
 */
import type { Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { startProxy } from "../support/proxy.ts";
import { findFaults } from "./axe.ts";
import { openShares, readStatus, showView, type Stage } from "./stage.ts";

/** Declares the tests. */
export function describePage(stage: Stage): void {
  describe("the page", () => {
    it("keeps a host of 70 characters inside its card, as target and among recent ones (defect 9)", async () => {
      const page = await stage.open();
      const host = `https://${"averylongname".repeat(4)}.example.test`;
      await page.fill("#host-input", host);
      await page.getByRole("button", { name: "Set host" }).click();
      await page.locator("#host-selector", { hasText: "set by cookie" }).waitFor();
      await page.locator("#host-input").click();
      await page.locator("#recents-list li").waitFor();
      const widths = [];
      for (const width of [390, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        widths.push(
          await page.evaluate(() =>
            [...document.querySelectorAll("html, #host-form, #recents, #recents li")].filter((box) =>
              box.scrollWidth > box.clientWidth || box.getBoundingClientRect().right > innerWidth
            ).map(({ tagName }) => tagName)
          ),
        );
      }
      expect(widths).toEqual([[], [], []]);
    });

    it("has the colours of the system, light or dark, as its button says (defect 36)", async () => {
      const page = await stage.open({ colorScheme: "dark" });
      const button = page.locator("#theme");
      const seen = [];
      for (let times = 0; times < 4; times += 1) {
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        seen.push([await button.getAttribute("aria-label"), background]);
        await button.click();
      }
      const [light, dark] = ["rgb(244, 246, 248)", "rgb(13, 19, 25)"];
      await page.emulateMedia({ colorScheme: "light" });
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(light);
      expect(seen).toEqual([
        ["Colours: those of the system", dark],
        ["Colours: light", light],
        ["Colours: dark", dark],
        ["Colours: those of the system", dark],
      ]);
    });

    it("shows what works without JavaScript, and nothing else (defect 34)", async () => {
      const page = await stage.open({ javaScriptEnabled: false });
      const shown = page.locator("nav a:visible, button:visible, section:visible, details:visible");
      expect(await shown.evaluateAll((all) => all.map(({ id, textContent }) => id || textContent)))
        .toEqual(["host", "Set host"]);
    });

    it("is used by keyboard alone", async () => {
      const page = await stage.open();
      await page.getByText("Live", { exact: true }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("traffic-scroll");
      await page.getByRole("link", { name: "Compose" }).press("Enter");
      await page.locator("#address").focus();
      await page.keyboard.type(`${stage.target.origin}/order`);
      await page.getByRole("tab", { name: "Headers" }).focus();
      await page.keyboard.press("ArrowRight");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("tab-auth");
      await page.keyboard.press("Control+Enter");
      await expect.poll(() => page.locator("#answer-status").textContent()).toMatch(/^Answered 201/);
    });

    it("says that it opens the body while the view of bodies is on its way", async () => {
      const page = await stage.compose();
      const held: Route[] = [];
      await page.route("**/console-after-paint-*", (route) => void held.push(route));
      await page.reload({ waitUntil: "domcontentloaded" });
      await page.fill("#address", `${stage.target.origin}/order`);
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".summary .fact", { hasText: "total" }).waitFor();
      expect(await page.locator("#answer .empty").textContent()).toBe("Opening the body…");
      await Promise.all(held.map((route) => route.continue()));
      await page.locator("#answer .body-row").first().waitFor();
      expect(await page.locator("#answer .empty").count()).toBe(0);
    });

    // Bodies are parsed in short slices for that reason, not in a worker.
    it.each(["/__proxy__/console.js", "data:text/javascript,postMessage(1)"])(
      "lets no script start a worker of %s: any address on this origin may be a target's",
      async (address) => {
        const started = (await stage.open()).evaluate((url) => {
          new Worker(url);
        }, address);
        await expect(started).rejects.toThrow("requires 'TrustedScriptURL'");
      },
    );

    it("asks a browser to sign in with the token, and lets it sign out (defects 15 and 16)", async () => {
      const other = await startProxy(stage.runtime, { PROXY_TOKEN: "s3cret", LOG: "off" });
      const page = await stage.visitAt(other.origin);
      stage.visit.troubles.length = 0;
      await page.fill("#token", "wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("That is not a token of this proxy.").waitFor();
      stage.visit.troubles.length = 0;
      await page.fill("#token", "s3cret");
      await page.getByRole("button", { name: "Sign in" }).click();
      // The page's script runs then: before, nothing would come of Send.
      await page.getByText("Live", { exact: true }).waitFor();
      await showView(page, "Compose");
      await page.fill("#address", `${stage.target.origin}/order`);
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".summary").waitFor();
      expect(await readStatus(page)).toMatch(/^201/);
      await openShares(page);
      await page.locator(".way .note", { hasText: "Asks for the token once" }).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByText("This proxy asks for its token.").waitFor();
      expect(await findFaults(page)).toEqual([]);
      stage.visit.troubles.length = 0;
      await other.stop("SIGKILL");
    });

    it("is removed by CONSOLE=false, with all that belongs to it", async () => {
      const other = await startProxy(stage.runtime, { CONSOLE: "false", LOG: "off" });
      await stage.visitAt(other.origin);
      expect(await stage.visit.page.textContent("body")).toBe('{"host":null,"selector":null}');
      const paths = ["console.css", "console.js", "traffic", "send"];
      const answers = await Promise.all(paths.map((path) => other.call(`GET /__proxy__/${path}`)));
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      await other.stop("SIGKILL");
    });
  });
}
