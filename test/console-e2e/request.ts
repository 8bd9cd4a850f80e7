/**
 * Requests in the console: built, sent, shown, and taken elsewhere.
 * @module
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { buildPost, readStatus, type Stage } from "./stage.ts";

/** Declares the tests. */
export function describeRequest(stage: Stage): void {
  describe("a request", () => {
    it("is built, sent, shown, and replayed just as it was", async () => {
      const page = await stage.open();
      await buildPost(page, stage.target);
      await page.keyboard.press("Control+Enter");
      await page.locator(".summary").waitFor();
      expect(await readStatus(page)).toMatch(/^201/);
      expect(await page.getByLabel("Body", { exact: true }).last().textContent()).toBe(
        '{\n  "id": 12345678901234567890,\n  "item": "teapot"\n}',
      );
      await page.getByRole("button", { name: /^Replay POST/ }).click();
      await expect.poll(() => stage.target.requests.length).toBe(2);
      expect(stage.seen).toEqual(Array(2).fill(["POST", "/order?draft=1", '{"item":"teapot"}']));
      expect(stage.target.requests.map((request) => request.header("x-secret"))).toEqual([
        "it's me",
        "it's me",
      ]);
      expect(stage.visit.troubles).toEqual([]);
    });

    it("goes out the same by every link and code that is given for it", async () => {
      const page = await stage.open({ permissions: ["clipboard-read", "clipboard-write"] });
      await buildPost(page, stage.target);
      const copy = async (name: string) => {
        await page.getByRole("button", { name: `Copy ${name}`, exact: true }).click();
        await page.getByRole("button", { name: `Copy ${name}`, exact: true }).getByText("Copied").waitFor();
        return await page.evaluate(() => navigator.clipboard.readText());
      };
      await fetch(await copy("arg link"));
      await promisify(execFile)("bash", ["-c", await copy("curl")]);
      await page.evaluate(`(async () => { ${await copy("fetch")} })()`);
      expect(stage.seen).toEqual(Array(3).fill(["POST", "/order?draft=1", '{"item":"teapot"}']));
      expect(stage.target.requests.map((request) => request.header("x-secret"))).toEqual(
        Array(3).fill("it's me"),
      );
      await fetch(await copy("url link"));
      const label = new URL(await copy("label"));
      await stage.proxy.call(`GET ${label.pathname}${label.search}`, { fields: { Host: label.host } });
      expect(stage.target.targets.slice(3)).toEqual(["/order?draft=1", "/order?draft=1"]);
    });

    it("is read back from an arg and from a label", async () => {
      const page = await stage.open();
      await buildPost(page, stage.target);
      const link = await page.getByLabel("arg link", { exact: true }).first().textContent();
      await page.reload();
      await page.getByLabel("Got one?").fill(link ?? "");
      await page.getByRole("button", { name: "Decode" }).click();
      expect(await page.getByLabel("arg link", { exact: true }).first().textContent()).toBe(link);
      expect(await page.inputValue("#address")).toBe(`${stage.target.origin}/order?draft=1`);
      await page.getByLabel("Got one?").fill("my--site-example-com-8443");
      await page.keyboard.press("Enter");
      expect(await page.inputValue("#address")).toBe("https://my-site.example.com:8443/");
    });

    it("shows a redirect as it is, cookies too, and keeps them from the browser", async () => {
      const page = await stage.open();
      await page.fill("#address", `${stage.target.origin}/moved`);
      await page.getByRole("tab", { name: "Options" }).click();
      await page.getByLabel("Follow redirects").uncheck();
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("The target redirects to").waitFor();
      expect(await readStatus(page)).toMatch(/^302/);
      await page.getByRole("button", { name: /^Headers/ }).click();
      expect(await page.locator("dl.headers").textContent()).toMatch(/set-cookiesid=1/);
      expect(await stage.visit.context.cookies()).toEqual([]);
    });

    it("says when the proxy answered itself", async () => {
      const page = await stage.open();
      await page.fill("#address", "http://127.0.0.1:1/");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("fetchvia answered this itself").waitFor();
      expect(await readStatus(page)).toMatch(/^502/);
    });

    it("shows HTML as a still picture, with its styles", async () => {
      const page = await stage.open();
      await page.fill("#address", `${stage.target.origin}/page`);
      await page.getByRole("button", { name: "Send" }).click();
      const red = page.frameLocator("iframe").getByText("Red");
      await red.waitFor();
      expect(await red.evaluate((shown) => getComputedStyle(shown).color)).toBe("rgb(255, 0, 0)");
      expect(stage.visit.troubles).toEqual([]);
    });
  });
}
