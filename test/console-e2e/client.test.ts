/**
 * `createFetch` in a page of another loopback origin: Chromium sends bodies, and redirects are as asked.
 * @module
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { serveClient } from "../support/client-bundle.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { launchBrowser } from "./browser.ts";

const KEY = "battery-staple";

const MODES = [
  { mode: "url", options: {} },
  { mode: "arg", options: { mode: "arg" } },
  { mode: "arg, signed", options: { mode: "arg", key: KEY, expires: 4_102_444_800 } },
];

let browser: Browser;
let site: Upstream;
let target: Upstream;
let page: Page;

beforeAll(async () => {
  [browser, site] = await Promise.all([launchBrowser(), serveClient()]);
  page = await browser.newPage();
  await page.goto(site.origin.replace("127.0.0.1", "localhost"));
});
beforeEach(async () => {
  target = await listen();
  target.answer = routes({
    "/items": reply(201, {}, "made"),
    "/moved": reply(302, { Location: "/items" }, "over there"),
    "/kept": reply(307, { Location: "/items" }),
  });
  return () => target.close();
});
afterAll(() => Promise.all([browser.close(), site.close()]));

/** Calls in the page; gives status, type and text of the answer, or the name of the failure. */
function callInPage(proxy: Proxy, options: object, path: string, init: object): Promise<unknown> {
  const [base, address] = [proxy.origin, target.origin + path];
  // As text: what compiles the tests would change the `import`.
  return page.evaluate(`import("/client.js").then(async ({ createFetch }) => {
    const call = createFetch(${JSON.stringify(base)}, ${JSON.stringify(options)});
    const answer = await call(${JSON.stringify(address)}, ${JSON.stringify(init)});
    return [answer.status, answer.type, await answer.text()];
  }).catch(({ name }) => name)`);
}

describe.each([{ runtime: "bun" }, { runtime: "deno" }, { runtime: "node" }] as const)(
  "createFetch in a page, through $runtime",
  ({ runtime }) => {
    let proxy: Proxy;
    beforeAll(async () => {
      proxy = await startProxy(runtime, { LOG: "off", SIGNING_KEY: KEY });
    });
    afterAll(() => proxy.stop());

    describe.each(MODES)("in mode $mode", ({ options }) => {
      it.each([{ method: "PUT" }, { method: "POST" }, { method: "PATCH" }])(
        "sends the body of $method, with its length",
        async ({ method }) => {
          const init = { method, body: '{"name":"x"}', headers: { "content-type": "application/json" } };
          expect(await callInPage(proxy, options, "/items", init)).toEqual([201, "default", "made"]);
          expect(target.request).toMatchObject({ method, body: Buffer.from('{"name":"x"}') });
          expect(target.request.header("content-length")).toBe("12");
          expect(target.request.header("content-type")).toBe("application/json");
        },
      );

      it("sends a body again after a 307", async () => {
        const init = { method: "PUT", body: "tea", headers: { "content-type": "text/x" } };
        expect(await callInPage(proxy, options, "/kept", init)).toEqual([201, "default", "made"]);
        const seen = target.requests.map((request) => [
          request.target,
          request.body.toString(),
          request.header("content-type"),
          request.header("content-length"),
        ]);
        expect(seen).toEqual([["/kept", "tea", "text/x", "3"], ["/items", "tea", "text/x", "3"]]);
      });

      it.each([
        { redirect: "follow", method: "GET", seen: [201, "default", "made"] },
        { redirect: "manual", method: "GET", seen: [302, "default", "over there"] },
        { redirect: "manual", method: "POST", seen: [302, "default", "over there"] },
        { redirect: "error", method: "GET", seen: "TypeError" },
        { redirect: "error", method: "POST", seen: "TypeError" },
      ])("takes a redirect of $method as $redirect", async ({ redirect, method, seen }) => {
        expect(await callInPage(proxy, options, "/moved", { method, redirect })).toEqual(seen);
        expect(target.targets).toEqual(redirect === "follow" ? ["/moved", "/items"] : ["/moved"]);
      });
    });
  },
);
