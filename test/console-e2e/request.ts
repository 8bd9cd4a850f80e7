/**
 * Requests in the console: built, sent, shown, and taken elsewhere.
 * @module
 */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../src/core/address/arg.ts";
import { startProxy } from "../support/proxy.ts";
import { buildPost, openShares, readStatus, showView, type Stage } from "./stage.ts";

/** Requests that `curl` or the proxy could take otherwise than they are meant. */
const HARD = [
  { path: "/order?a[1-2]={b,c}", redirect: "manual" },
  { path: "/a/%2e%2e/order?q='", redirect: "manual" },
  { path: "/__proxy__/health", redirect: "manual" },
  { path: "/order", headers: { origin: "https://shop.test" } },
  { path: "/order", headers: { "x-real-ip": "192.0.2.1" } },
  { path: "/order", headers: { host: "shop.test" } },
  { path: "/order", headers: { cookie: "proxy_host=1; a=2" } },
  { path: "/order", headers: { "sec-fetch-site": "none" } },
  { path: "/ü?ü", headers: { "x-secret": "ü" } },
  { path: "/order", method: "HEAD", body: "b" },
  { path: "/order", body: "b" },
];

/** What a command must send as the console does. */
const FIELDS = ["origin", "x-real-ip", "host", "cookie", "sec-fetch-site", "x-secret", "content-type"];

/** Declares the tests. */
export function describeRequest(stage: Stage): void {
  describe("a request", () => {
    it("is built, sent, shown, and replayed just as it was", async () => {
      const page = await stage.compose();
      await buildPost(page, stage.target);
      await page.keyboard.press("Control+Enter");
      await page.locator(".summary").waitFor();
      expect(await readStatus(page)).toMatch(/^201/);
      // A body may come behind its head.
      await expect.poll(() =>
        page.locator("#answer").getByLabel("Body", { exact: true }).last().textContent()
      )
        .toBe('{\n  "id": 12345678901234567890,\n  "item": "teapot"\n}\n');
      await showView(page, "Traffic");
      await page.locator("#traffic-rows").getByRole("row", { name: /POST/ }).first().click();
      await page.locator("#inspector").getByRole("button", { name: "Replay" }).click();
      await expect.poll(() => stage.seen).toEqual(
        Array(2).fill(["POST", "/order?draft=1", '{"item":"teapot"}']),
      );
      expect(stage.target.requests.map((request) => request.header("x-secret")))
        .toEqual(["it's me", "it's me"]);
      expect(stage.visit.troubles).toEqual([]);
    });

    it("is replayed after a reload, where it was captured (defect 30)", async () => {
      const other = await startProxy(stage.runtime, { CAPTURE: "64KiB", LOG: "off" });
      const page = await stage.visitAt(other.origin, { path: "/__proxy__/#request" });
      await page.selectOption("#method", "POST");
      await page.fill("#address", `${stage.target.origin}/order`);
      await page.locator("#tab-body").click();
      await page.getByText("JSON", { exact: true }).click();
      await page.getByLabel("Body", { exact: true }).fill("{ }");
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".summary .fact", { hasText: "total" }).waitFor();
      await page.reload();
      await showView(page, "Traffic");
      await page.locator("#traffic-rows").getByRole("row", { name: /POST/ }).click();
      await page.locator("#inspector").getByRole("button", { name: "Replay", exact: true }).click();
      await expect.poll(() => stage.seen).toEqual(Array(2).fill(["POST", "/order", "{ }"]));
      await other.stop("SIGKILL");
    });

    it("goes out the same by every link and code that is given for it", async () => {
      const page = await stage.compose({ permissions: ["clipboard-read", "clipboard-write"] });
      await buildPost(page, stage.target);
      await openShares(page);
      const copy = async (name: string) => {
        await page.getByRole("button", { name: `Copy ${name}`, exact: true }).click();
        await page.getByRole("button", { name: `Copy ${name}`, exact: true }).getByText("Copied").waitFor();
        return await page.evaluate(() => navigator.clipboard.readText());
      };
      await fetch(await copy("arg link"));
      await promisify(execFile)("bash", ["-c", await copy("curl")]);
      const code = await copy("fetch");
      // A page of an origin of its own: on the proxy's it could be any target's.
      const other = await stage.visit.context.newPage();
      await other.goto(`${stage.target.origin}/page`);
      await other.evaluate(`(async () => { ${code} })()`);
      const isOrder = ([, path]: (typeof stage.seen)[number]) => path.startsWith("/order");
      expect(stage.seen.filter(isOrder))
        .toEqual(Array(3).fill(["POST", "/order?draft=1", '{"item":"teapot"}']));
      const orders = stage.target.requests.filter(({ method }) => method === "POST");
      expect(orders.map((request) => request.header("x-secret"))).toEqual(Array(3).fill("it's me"));
      await fetch(await copy("url link"));
      const label = new URL(await copy("label"));
      await stage.proxy.call(`GET ${label.pathname}${label.search}`, { fields: { Host: label.host } });
      expect(stage.seen.filter(isOrder).slice(3).map(([, path]) => path))
        .toEqual(["/order?draft=1", "/order?draft=1"]);
    });

    it("is read back from what was pasted before the code for it has come", async () => {
      const page = await stage.compose();
      await page.route(/\.js$/, async (route) => {
        await sleep(500);
        await route.continue();
      });
      await openShares(page);
      await page.getByLabel("Got one?").fill(encodeArg({ url: `${stage.target.origin}/order` }));
      await page.getByRole("button", { name: "Decode" }).click();
      await expect.poll(() => page.inputValue("#address")).toBe(`${stage.target.origin}/order`);
    });

    it("goes out the same by curl, whatever is in it", async () => {
      const page = await stage.compose();
      await openShares(page);
      for (const [at, { path, ...request }] of HARD.entries()) {
        await page.getByLabel("Got one?").fill(encodeArg({ url: stage.target.origin + path, ...request }));
        await page.getByRole("button", { name: "Decode" }).click();
        await expect.poll(() => page.inputValue("#address")).toBe(stage.target.origin + path);
        await page.getByRole("button", { name: "Send" }).click();
        await expect.poll(() => stage.target.requests.length).toBe(2 * at + 1);
        await promisify(execFile)("bash", ["-c", await page.getByLabel("curl", { exact: true }).innerText()]);
      }
      const seen = stage.target.requests.map((request) => [
        ...[request.method, request.target, request.body.toString()],
        ...FIELDS.map((name) => request.header(name)),
      ]);
      expect(seen).toHaveLength(2 * HARD.length);
      expect(seen.filter((_, index) => index % 2 === 1)).toEqual(seen.filter((_, index) => index % 2 === 0));
    });

    it("is read back from an arg and from a label", async () => {
      const page = await stage.compose();
      await buildPost(page, stage.target);
      await openShares(page);
      const link = await page.getByLabel("arg link", { exact: true }).first().textContent();
      await page.reload();
      await openShares(page);
      await page.getByLabel("Got one?").fill(link ?? "");
      await page.getByRole("button", { name: "Decode" }).click();
      await expect.poll(() => page.inputValue("#address")).toBe(`${stage.target.origin}/order?draft=1`);
      await expect.poll(() => page.getByLabel("arg link", { exact: true }).first().textContent()).toBe(link);
      await page.getByLabel("Got one?").fill("my--site-example-com-8443");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.inputValue("#address")).toBe("https://my-site.example.com:8443/");
    });

    it("shows a redirect as it is, cookies too, and keeps them from the browser", async () => {
      const page = await stage.compose();
      await page.fill("#address", `${stage.target.origin}/moved`);
      await page.getByRole("tab", { name: "Options" }).click();
      await page.getByLabel("Follow redirects").uncheck();
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("The target redirects to").waitFor();
      expect(await readStatus(page)).toMatch(/^302/);
      await page.getByRole("tab", { name: /^Headers \(/ }).click();
      expect(await page.locator("#answer dl.headers").textContent()).toMatch(/Set-Cookiesid=1/);
      expect(await stage.visit.context.cookies()).toEqual([]);
    });

    it("says when the proxy answered itself", async () => {
      const page = await stage.compose();
      await page.fill("#address", "http://127.0.0.1:1/");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("fetchvia answered this itself").waitFor();
      expect(await readStatus(page)).toMatch(/^502/);
    });

    it("shows HTML as a still picture, with its styles", async () => {
      const page = await stage.compose();
      await page.fill("#address", `${stage.target.origin}/page`);
      await page.getByRole("button", { name: "Send" }).click();
      const red = page.frameLocator("iframe").getByText("Red");
      await red.waitFor();
      expect(await red.evaluate((shown) => getComputedStyle(shown).color)).toBe("rgb(255, 0, 0)");
      expect(stage.visit.troubles).toEqual([]);
    });
  });
}
