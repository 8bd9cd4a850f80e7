/**
 * Scalar's own client in a browser: "Send" goes through the proxy, and what the API answers is shown.
 * @module
 */
import type { BrowserContext } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeApi, readScript, writePage } from "../apps/scalar.ts";
import { reply, routes } from "../support/answers.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import type { Stage } from "./stage.ts";

/** The script is 4 MB, and draws a whole site: three browsers at once on two cores take their time. */
const WAIT = { timeout: 60_000 };
const TIMEOUT_MS = 150_000;

/** Declares the tests. */
export function describeScalar(stage: Stage): void {
  describe("Scalar's client", () => {
    let site: Upstream;
    let api: Upstream;
    let context: BrowserContext;
    beforeEach(async () => {
      [site, api, context] = await Promise.all([listen(), listen(), stage.open()]);
      site.answer = routes({
        "/": reply(
          200,
          { "Content-Type": "text/html" },
          writePage(describeApi(api.origin), stage.formed.origin),
        ),
        "/scalar.js": reply(200, { "Content-Type": "text/javascript" }, readScript()),
      });
      api.answer = reply(201, { "Content-Type": "application/json" }, '{"made":"an item of the shop"}');
    });
    afterEach(() => Promise.all([site.close(), api.close(), context.close()]));

    it("sends its request through the proxy, with its cookie and its fields", async () => {
      const page = await context.newPage();
      await page.goto(`${site.origin}/`, { ...WAIT, waitUntil: "commit" });
      await page.getByRole("button", { name: "Test Request" }).click(WAIT);
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === "POST", WAIT),
        page.getByRole("button", { name: /^Send/ }).first().click(WAIT),
      ]);
      expect(new URL(answer.url()).origin).toBe(stage.formed.origin);
      expect(answer.status()).toBe(201);
      await page.getByText("an item of the shop").first().waitFor(WAIT);
      expect(api.requests).toHaveLength(1);
      expect(api.request).toMatchObject({ method: "POST", target: "/items?q=a+b%2Bc%26d%3D%C3%A9" });
      expect(JSON.parse(api.request.body.toString())).toEqual({ name: "x" });
      expect(api.request.header("cookie")).toBe("sid=a1");
      expect(api.request.header("user-agent")).toBe("shop/1");
      expect(api.request.headers.filter(([name]) => /^x-scalar-/i.test(name))).toEqual([]);
    }, TIMEOUT_MS);
  });
}
