/**
 * The page of the console: how it looks, and who can use it.
 * @module
 */
import { describe, expect, it } from "vitest";
import { startProxy } from "../support/proxy.ts";
import { buildPost, type Stage } from "./stage.ts";

/** Declares the tests. */
export function describePage(stage: Stage): void {
  describe("the page", () => {
    it.each([
      { colorScheme: "light" as const, background: "rgb(244, 246, 248)" },
      { colorScheme: "dark" as const, background: "rgb(13, 19, 25)" },
    ])("fits small and large windows, and is $colorScheme", async ({ colorScheme, background }) => {
      const page = await stage.open({ colorScheme });
      await buildPost(page, stage.target);
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".summary").waitFor();
      const overflows = [];
      for (const width of [320, 360, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        overflows.push(
          await page.evaluate(() =>
            [document.documentElement, ...document.querySelectorAll("#traffic-scroll")]
              .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
          ),
        );
      }
      expect(overflows).toEqual(Array(4).fill([0, 0]));
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background);
    });

    it("is used by keyboard alone", async () => {
      const page = await stage.open();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.locator("#address").focus();
      await page.keyboard.type(`${stage.target.origin}/order`);
      await page.getByRole("tab", { name: "Headers" }).focus();
      await page.keyboard.press("ArrowRight");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("tab-body");
      await page.keyboard.press("Control+Enter");
      await page.locator(".summary").waitFor();
      expect(await page.locator("#answer-status").textContent()).toMatch(/^Answered 201/);
    });

    it("has a name for every control", async () => {
      const page = await stage.open();
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLInputElement>(
          "button, a, input:not([type=hidden]), select, textarea",
        )]
          .filter((control) => !control.textContent?.trim() && !control.ariaLabel && !control.labels?.length)
          .map((control) => control.outerHTML)
      );
      expect(nameless).toEqual([]);
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
