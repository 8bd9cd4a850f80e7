/**
 * The console of a proxy behind a path: every address that the browser asks for is behind it too.
 * @module
 */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { launchBrowser, openConsole, type Visit } from "./browser.ts";
import { openShares, showView } from "./stage.ts";

const MOUNT_PATH = "/in/proxy";

let browser: Browser;
let proxy: Proxy;
let target: Upstream;
let visit: Visit;

beforeAll(async () => {
  [browser, proxy, target] = await Promise.all([
    launchBrowser(),
    startProxy("bun", { LOG: "off", MOUNT_PATH }),
    listen(),
  ]);
  target.answer = reply(
    200,
    { "Content-Type": "text/html", "Set-Cookie": "sid=1; Path=/" },
    "<title>Shop</title>",
  );
});
afterEach(() => visit.context.close());
afterAll(() => Promise.all([browser.close(), proxy.stop(), target.close()]));

it("sets the host, sends and watches there", async () => {
  visit = await openConsole(browser, proxy.origin, { path: `${MOUNT_PATH}/__proxy__` });
  const { page, context, asked, troubles } = visit;
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByLabel("Base address of the host").fill(target.origin);
  await page.getByRole("button", { name: "Set host" }).click();
  await page.getByText("set by cookie", { exact: true }).waitFor();
  await showView(page, "Compose");
  await page.fill("#address", "/page");
  await page.keyboard.press("Enter");
  await page.locator(".summary .status").waitFor();
  await openShares(page);
  const link = await page.getByLabel("url link").first().textContent();
  const [shop] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Open the host" }).click(),
  ]);
  await shop.waitForLoadState();
  expect([shop.url(), await shop.title()]).toEqual([`${proxy.origin}${MOUNT_PATH}/`, "Shop"]);
  expect((await context.cookies(shop.url())).map(({ name, path }) => [name, path]))
    .toEqual([["proxy_host", MOUNT_PATH], ["proxy_seal", MOUNT_PATH], ["sid", MOUNT_PATH]]);
  expect(link)
    .toBe(`${proxy.origin}${MOUNT_PATH}/__proxy__/?url=${encodeURIComponent(`${target.origin}/page`)}`);
  const beside = asked.filter((address) => !address.startsWith(`${proxy.origin}${MOUNT_PATH}/`));
  expect(beside.filter((address) => !/^data:|\/favicon\.ico$/.test(address))).toEqual([]);
  expect(troubles).toEqual([]);
});

it("sets and clears the host without a script", async () => {
  visit = await openConsole(browser, proxy.origin, {
    path: `${MOUNT_PATH}/__proxy__/`,
    javaScriptEnabled: false,
  });
  const { page } = visit;
  await page.getByLabel("Base address of the host").fill(target.origin);
  await page.getByRole("button", { name: "Set host" }).click();
  await page.getByText("set by cookie", { exact: true }).waitFor();
  expect(page.url()).toBe(`${proxy.origin}${MOUNT_PATH}/__proxy__/`);
  await page.getByRole("link", { name: "Clear" }).click();
  await page.getByText("no host is set", { exact: true }).waitFor();
});
