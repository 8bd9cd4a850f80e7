/**
 * A page whose parts lead to another origin: they load, and the browser stays where it is.
 * @module
 */
import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { enter, originOf, type Stage, WAYS } from "./stage.ts";

const HTML = { "Content-Type": "text/html" };
const SHOP = `<!doctype html><title>Shop</title><link rel="stylesheet" href="/style"><h1>Shop</h1>
<img src="/picture"><script src="/script"></script><a href="/away">Away</a>`;
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
/** What the other origin tries to leave in the browser. */
const STRAY = { "Set-Cookie": "stray=1; Path=/" };

let shop: Upstream;
let other: Upstream;
let context: BrowserContext;

/** What the browser made of the parts. */
function readParts(page: Page): Promise<unknown> {
  return page.evaluate(() => [
    document.querySelector("img")?.naturalWidth,
    document.documentElement.dataset["script"],
    getComputedStyle(document.querySelector("h1")!).color,
  ]);
}

/** The names of the cookies in each request that a target got. */
function cookiesOf({ requests }: Upstream): string[][] {
  return requests.map((request) =>
    (request.header("cookie") ?? "").split("; ").map((pair) => pair.split("=")[0] ?? "").sort()
  );
}

/** Declares the tests. */
export function describeParts(stage: Stage): void {
  describe("a page whose parts lead to another origin", () => {
    beforeEach(async () => {
      [shop, other, context] = await Promise.all([listen(), listen(), stage.open()]);
      const lead = (path: string) => reply(302, { Location: other.origin + path });
      shop.answer = routes({
        "/": reply(200, [["Content-Type", "text/html"], ["Set-Cookie", "sid=1; HttpOnly"], [
          "Set-Cookie",
          "ui=1",
        ]], SHOP),
        "/picture": lead("/a.gif"),
        "/script": lead("/a.js"),
        "/style": lead("/a.css"),
        "/away": lead("/landing?x=1"),
        "/account": reply(200, HTML, "<!doctype html><title>Account</title>"),
      });
      other.answer = routes({
        "/a.gif": reply(200, { "Content-Type": "image/gif", ...STRAY }, PIXEL),
        "/a.js": reply(
          200,
          { "Content-Type": "text/javascript", ...STRAY },
          "document.documentElement.dataset.script = 'ran'",
        ),
        "/a.css": reply(200, { "Content-Type": "text/css", ...STRAY }, "h1 { color: rgb(1, 2, 3) }"),
        "/landing": reply(200, HTML, "<!doctype html><title>Landing</title>"),
      });
    });
    afterEach(() => Promise.all([shop.close(), other.close(), context.close()]));

    it.each(WAYS)("loads them by $way, and keeps host and login", async ({ way }) => {
      const page = await enter(context, shop.origin, way, stage.plain);
      expect(await readParts(page)).toEqual([1, "ran", "rgb(1, 2, 3)"]);
      expect(other.targets.sort()).toEqual(["/a.css", "/a.gif", "/a.js"]);
      expect(cookiesOf(other)).toEqual([[""], [""], [""]]);
      shop.requests.length = 0;
      await page.goto(`${originOf(shop.origin, way, stage.plain)}/account`);
      expect(await page.title()).toBe("Account");
      expect(cookiesOf(shop)[0]).toEqual(["sid", "ui"]);
    });

    it.each(WAYS)("lets a link lead the window there by $way", async ({ way }) => {
      const page = await enter(context, shop.origin, way, stage.plain);
      other.requests.length = 0;
      await page.getByText("Away").click();
      await page.waitForURL(`${originOf(other.origin, way, stage.plain)}/landing?x=1`);
      expect(await page.title()).toBe("Landing");
      await page.reload();
      expect(other.targets.filter((path) => path === "/landing?x=1")).toHaveLength(2);
      expect(cookiesOf(other).flat()).not.toContain("sid");
      expect(cookiesOf(other).flat()).not.toContain("ui");
    });
  });
}
