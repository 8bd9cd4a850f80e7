/**
 * HAR from capture to Chromium's DevTools, and from DevTools to the console.
 * @module
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { Acceptor, join } from "../support/websocket.ts";
import { launchBrowser, openConsole } from "./browser.ts";

let browser: Browser;
let proxy: Proxy;
let target: Upstream;

beforeAll(async () => {
  // The shell has none.
  browser = await launchBrowser("/usr/bin/chromium");
});
afterAll(() => browser.close());
// What is captured, and what the target is, is of one try alone.
beforeEach(async () => {
  [proxy, target] = await Promise.all([startProxy("bun", { LOG: "off", CAPTURE: "64KiB" }), listen()]);
  target.answer = routes({
    "/order": reply(201, { "Content-Type": "application/json" }, '{"id":12345678901234567890}'),
    "/gone": reply(404, { "Content-Type": "text/plain" }, "gone"),
  });
});
afterEach(() => Promise.all([proxy.stop(), target.close()]));

/** The front end of DevTools, with a HAR file in its network panel. */
async function openInDevTools(har: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto("devtools://devtools/bundled/devtools_app.html");
  await page.evaluate(`(async (har) => {
    const load = (path) => import("devtools://devtools/bundled/" + path);
    const [UI, Network] = await Promise.all([load("ui/legacy/legacy.js"), load("panels/network/network.js")]);
    await UI.ViewManager.ViewManager.instance().showView("network");
    const { networkLogView } = Network.NetworkPanel.NetworkPanel.instance();
    await networkLogView.onLoadFromFile(new File([har], "traffic.har"));
  })(${JSON.stringify(har)})`);
  return page;
}

/** What DevTools shows of each request, as its own models have it. */
function readShown(page: Page): Promise<object[]> {
  return page.evaluate(`(async () => {
    const { NetworkLog } = await import("devtools://devtools/bundled/models/logs/logs.js");
    return Promise.all(NetworkLog.NetworkLog.instance().requests().map(async (request) => ({
      method: request.requestMethod,
      url: request.url(),
      status: request.statusCode,
      sent: await request.requestFormData(),
      text: (await request.requestContentData()).text ?? "",
      frames: request.frames().map(({ type, text }) => type + " " + text),
    })));
  })()`);
}

/** What DevTools saves, by the code behind its own button: with bodies. */
function save(page: Page): Promise<string> {
  return page.evaluate(`(async () => {
    const load = (path) => import("devtools://devtools/bundled/" + path);
    const [{ Progress }, { NetworkLog }, { Writer }] = await Promise.all(
      ["core/common/common.js", "models/logs/logs.js", "models/har/har.js"].map(load),
    );
    const parts = [];
    const file = { write: async (part) => parts.push(part) };
    const requests = NetworkLog.NetworkLog.instance().requests();
    await Writer.Writer.write(file, requests, { sanitize: false }, new Progress.Progress());
    return parts.join("");
  })()`);
}

it("is opened by DevTools, with bodies and messages, and what DevTools saves is opened by the console", async () => {
  const fields = { proxy_host: target.origin };
  await proxy.call("POST /order", { fields, body: "a=1&b=%C3%A4" });
  await proxy.call("GET /gone", { fields });
  const acceptor = new Acceptor(target);
  const { caller } = await join(proxy.port, "/chat", fields);
  acceptor.peers[0]!.echo();
  caller.text("hello");
  expect(await caller.next()).toEqual({ text: "hello" });
  caller.close(1000);
  await caller.gone;
  const devTools = await openInDevTools((await proxy.call("GET /__proxy__/traffic.har")).text);
  const shown = await readShown(devTools);
  expect(shown).toMatchObject([
    {
      method: "POST",
      url: `${target.origin}/order`,
      status: 201,
      sent: "a=1&b=%C3%A4",
      text: '{"id":12345678901234567890}',
    },
    { method: "GET", url: `${target.origin}/gone`, status: 404, text: "gone" },
    { method: "GET", url: `${target.origin}/chat`, status: 101 },
  ]);
  expect(shown[2]).toMatchObject({ frames: expect.arrayContaining(["send hello", "receive hello"]) });
  const saved = await save(devTools);
  const { page } = await openConsole(browser, proxy.origin);
  await page.getByText("Live", { exact: true }).waitFor();
  const file = { name: "saved.har", mimeType: "application/json", buffer: Buffer.from(saved) };
  await page.locator("#har-file").setInputFiles(file);
  const rows = page.locator("#traffic-rows").getByRole("row");
  // The proxy's own traffic has a row for it too.
  await rows.filter({ hasText: "/order" }).filter({ hasText: "file" }).click();
  const pane = page.getByRole("region", { name: "Inspected request" });
  await pane.getByRole("tab", { name: /^Response/ }).click();
  await pane.getByRole("tab", { name: "Raw" }).click();
  await pane.getByText('{"id":12345678901234567890}').waitFor();
});
