/**
 * The console in a real browser, in front of a real proxy and a real target.
 * @module
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { launchBrowser, openConsole, type Visit } from "./browser.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const ORDER = '{"id":12345678901234567890,"item":"teapot"}';

let browser: Browser;
let proxy: Proxy;
let target: Upstream;
let visit: Visit;

beforeAll(async () => {
  [browser, proxy, target] = await Promise.all([
    launchBrowser(),
    startProxy("bun", { LOG: "off" }),
    listen(),
  ]);
  target.answer = routes({
    "/": reply(200, { "Content-Type": "text/html" }, "<!doctype html><title>Shop</title><h1>The shop</h1>"),
    "/order": reply(201, JSON_TYPE, ORDER),
    "/moved": reply(302, { Location: "/order", "Set-Cookie": "sid=1" }, "over there"),
    "/page": reply(200, { "Content-Type": "text/html" }, "<h1>Page</h1><p style='color:red'>Red</p>"),
  });
});

afterEach(async () => {
  await visit.context.close();
  target.requests.length = 0;
});

afterAll(async () => {
  await Promise.all([browser.close(), proxy.stop(), target.close()]);
});

const open = async (options: Parameters<typeof openConsole>[2] = {}) => {
  visit = await openConsole(browser, proxy.origin, options);
  return visit.page;
};

const statusOf = (page: Page) => page.locator(".summary .status").textContent();

/** Fills the builder with a POST of JSON. */
async function buildPost(page: Page): Promise<void> {
  await page.selectOption("#method", "POST");
  await page.fill("#address", `${target.origin}/order?draft=1`);
  await page.getByLabel("Header name").first().fill("x-secret");
  await page.getByLabel("Header value").first().fill("it's me");
  await page.getByRole("tab", { name: "Body" }).click();
  await page.getByText("JSON", { exact: true }).click();
  await page.getByLabel("Body", { exact: true }).fill('{"item":"teapot"}');
}

/** What the target got. */
const seen = () => target.requests.map(({ method, target: path, body }) => [method, path, body.toString()]);

describe("the host", () => {
  it("is set, shown, and where the browser goes then", async () => {
    const page = await open();
    expect(await page.locator("#host-target").textContent()).toContain("nowhere yet");
    await page.getByLabel("Base address of the host").fill(target.origin);
    await page.getByRole("button", { name: "Set host" }).click();
    await page.getByText("set by cookie", { exact: true }).waitFor();
    expect(await page.locator("#host-target").textContent()).toContain(target.origin);
    const [shop] = await Promise.all([
      visit.context.waitForEvent("page"),
      page.getByRole("link", { name: "Open the host" }).click(),
    ]);
    await shop.waitForLoadState();
    expect([shop.url(), await shop.title()]).toEqual([`${proxy.origin}/`, "Shop"]);
    await page.reload();
    expect(await page.locator("#host-selector").textContent()).toBe("set by cookie");
  });

  it("is switched by recent hosts, which outlive the page, and cleared", async () => {
    const page = await open();
    for (const host of ["https://one.test", target.origin]) {
      await page.getByLabel("Base address of the host").fill(host);
      await page.keyboard.press("Enter");
      await page.locator(`#host-target:has-text("${host}")`).waitFor();
    }
    await page.reload();
    await page.getByRole("button", { name: "one.test", exact: true }).click();
    await page.locator("#host-target:has-text('https://one.test')").waitFor();
    await page.getByRole("button", { name: `Forget ${target.origin}` }).click();
    expect(await page.locator("#recents-list li").count()).toBe(1);
    await page.getByRole("link", { name: "Clear" }).click();
    await page.locator("#host-selector", { hasText: "no host is set" }).waitFor();
    expect(await visit.context.cookies()).toEqual([]);
  });

  it("is told why it is refused", async () => {
    const page = await open();
    await page.getByLabel("Base address of the host").fill("https://a.test/?q");
    await page.getByRole("button", { name: "Set host" }).click();
    await page.getByText("no base address").waitFor();
  });

  it("can be cleared where a cookie is malformed", async () => {
    const page = await open();
    await visit.context.addCookies([{ name: "proxy_host", value: "evil", url: proxy.origin }]);
    await page.reload();
    await page.getByText("Cannot use cookie proxy_host").waitFor();
    await page.getByRole("link", { name: "Clear" }).click();
    await page.locator("#host-selector", { hasText: "no host is set" }).waitFor();
  });

  it("is set and cleared without JavaScript", async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.fill("#host-input", target.origin);
    await page.click("text=Set host");
    expect(await page.textContent("#host-selector")).toBe("set by cookie");
    await page.click("#host-clear");
    expect(await page.textContent("#host-selector")).toBe("no host is set");
  });
});

describe("a request", () => {
  it("is built, sent, shown, and replayed just as it was", async () => {
    const page = await open();
    await buildPost(page);
    await page.keyboard.press("Control+Enter");
    await page.locator(".summary").waitFor();
    expect(await statusOf(page)).toMatch(/^201/);
    expect(await page.getByLabel("Body", { exact: true }).last().textContent()).toBe(
      '{\n  "id": 12345678901234567890,\n  "item": "teapot"\n}',
    );
    await page.getByRole("button", { name: /^Replay POST/ }).click();
    await expect.poll(() => target.requests.length).toBe(2);
    expect(seen()).toEqual(Array(2).fill(["POST", "/order?draft=1", '{"item":"teapot"}']));
    expect(target.requests.map((request) => request.header("x-secret"))).toEqual(["it's me", "it's me"]);
    expect(visit.troubles).toEqual([]);
  });

  it("goes out the same by every link and code that is given for it", async () => {
    const page = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    await buildPost(page);
    const copy = async (name: string) => {
      await page.getByRole("button", { name: `Copy ${name}`, exact: true }).click();
      await page.getByRole("button", { name: `Copy ${name}`, exact: true }).getByText("Copied").waitFor();
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    await fetch(await copy("arg link"));
    await promisify(execFile)("bash", ["-c", await copy("curl")]);
    await page.evaluate(`(async () => { ${await copy("fetch")} })()`);
    expect(seen()).toEqual(Array(3).fill(["POST", "/order?draft=1", '{"item":"teapot"}']));
    expect(target.requests.map((request) => request.header("x-secret"))).toEqual(Array(3).fill("it's me"));
    await fetch(await copy("url link"));
    const label = new URL(await copy("label"));
    await proxy.call(`GET ${label.pathname}${label.search}`, { fields: { Host: label.host } });
    expect(target.targets.slice(3)).toEqual(["/order?draft=1", "/order?draft=1"]);
  });

  it("is read back from an arg and from a label", async () => {
    const page = await open();
    await buildPost(page);
    const link = await page.getByLabel("arg link", { exact: true }).first().textContent();
    await page.reload();
    await page.getByLabel("Got one?").fill(link ?? "");
    await page.getByRole("button", { name: "Decode" }).click();
    expect(await page.getByLabel("arg link", { exact: true }).first().textContent()).toBe(link);
    expect(await page.inputValue("#address")).toBe(`${target.origin}/order?draft=1`);
    await page.getByLabel("Got one?").fill("my--site-example-com-8443");
    await page.keyboard.press("Enter");
    expect(await page.inputValue("#address")).toBe("https://my-site.example.com:8443/");
  });

  it("shows a redirect as it is, cookies too, and keeps them from the browser", async () => {
    const page = await open();
    await page.fill("#address", `${target.origin}/moved`);
    await page.getByRole("tab", { name: "Options" }).click();
    await page.getByLabel("Follow redirects").uncheck();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("The target redirects to").waitFor();
    expect(await statusOf(page)).toMatch(/^302/);
    await page.getByRole("button", { name: /^Headers/ }).click();
    expect(await page.locator("dl.headers").textContent()).toMatch(/set-cookiesid=1/);
    expect(await visit.context.cookies()).toEqual([]);
  });

  it("says when the proxy answered itself", async () => {
    const page = await open();
    await page.fill("#address", "http://127.0.0.1:1/");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("fetchvia answered this itself").waitFor();
    expect(await statusOf(page)).toMatch(/^502/);
  });

  it("shows HTML as a still picture, with its styles", async () => {
    const page = await open();
    await page.fill("#address", `${target.origin}/page`);
    await page.getByRole("button", { name: "Send" }).click();
    const red = page.frameLocator("iframe").getByText("Red");
    await red.waitFor();
    expect(await red.evaluate((shown) => getComputedStyle(shown).color)).toBe("rgb(255, 0, 0)");
    expect(visit.troubles).toEqual([]);
  });
});

describe("live traffic", () => {
  it("shows requests of others as they come, without what is secret", async () => {
    const page = await open();
    await page.getByText("No requests yet").or(page.locator("#traffic-rows tr").first()).waitFor();
    await proxy.call("GET /order?token=s3cret", {
      fields: { proxy_host: target.origin, Authorization: "Bearer s3cret" },
    });
    const row = page.locator("#traffic-rows tr", { hasText: "header" }).first();
    await row.waitFor();
    expect(await row.locator("td").allTextContents()).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d$/),
      "GET",
      "201",
      `http://${target.host}/order…`,
      "header",
      "43 B",
      expect.stringMatching(/ ms$/),
      "Open in builder",
    ]);
    expect(await page.content()).not.toContain("s3cret");
    await row.getByRole("button").click();
    expect(await page.inputValue("#address")).toBe(`${target.origin}/order`);
    expect(await page.locator("#charts figure").count()).toBe(2);
  });

  it("replays, filters and pauses", async () => {
    const page = await open();
    await page.getByText("Live", { exact: true }).waitFor();
    await proxy.call("GET /order", { fields: { proxy_host: target.origin } });
    await page.getByRole("button", { name: `Replay GET ${target.origin}/order`, exact: true }).first()
      .click();
    await expect.poll(() => target.requests.length).toBe(2);
    await page.getByLabel("Filter").fill("get nothing-like-that");
    await page.getByText("No request matches the filter").waitFor();
    await page.getByLabel("Filter").fill("");
    await page.getByRole("button", { name: "Pause" }).click();
    await proxy.call("GET /order", { fields: { proxy_host: target.origin } });
    await page.getByRole("button", { name: "Resume (1)" }).click();
  });

  it.each([
    { settings: { PRIVATE_TARGETS: "false" }, path: "/__proxy__/", state: "Live traffic is off" },
    {
      settings: { PRIVATE_TARGETS: "false", PROXY_TOKEN: "t" },
      path: "/__proxy__/?token=t",
      state: "No requests yet",
    },
  ])("with $settings, opened at $path: $state", async ({ settings, path, state }) => {
    const other = await startProxy("bun", { ...settings, LOG: "off" });
    visit = await openConsole(browser, other.origin, { path });
    await visit.page.getByText(state).first().waitFor();
    expect(visit.page.url()).toBe(`${other.origin}/__proxy__/`);
    await other.stop("SIGKILL");
  });
});

describe("the page", () => {
  it.each([
    { width: 360, colorScheme: "light" as const },
    { width: 360, colorScheme: "dark" as const },
    { width: 1440, colorScheme: "light" as const },
    { width: 1440, colorScheme: "dark" as const },
  ])("fits $width px, and is $colorScheme", async ({ width, colorScheme }) => {
    const page = await open({ viewport: { width, height: 800 }, colorScheme });
    await buildPost(page);
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".summary").waitFor();
    const { scroll, client, background } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
      background: getComputedStyle(document.body).backgroundColor,
    }));
    expect(scroll).toBe(client);
    expect(background).toBe(colorScheme === "dark" ? "rgb(13, 19, 25)" : "rgb(244, 246, 248)");
  });

  it("is used by keyboard alone", async () => {
    const page = await open();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("#address").focus();
    await page.keyboard.type(`${target.origin}/order`);
    await page.getByRole("tab", { name: "Headers" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("tab-body");
    await page.keyboard.press("Control+Enter");
    await page.locator(".summary").waitFor();
    expect(await page.locator("#answer-status").textContent()).toMatch(/^Answered 201/);
  });

  it("has a name for every control", async () => {
    const page = await open();
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
    const other = await startProxy("bun", { CONSOLE: "false", LOG: "off" });
    visit = await openConsole(browser, other.origin);
    expect(await visit.page.textContent("body")).toBe('{"host":null,"selector":null}');
    const paths = ["console.css", "console.js", "traffic", "send"];
    const answers = await Promise.all(paths.map((path) => other.call(`GET /__proxy__/${path}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    await other.stop("SIGKILL");
  });
});
