/**
 * Signed links in a page of another site: as an image, as a link that is clicked, and as what they are when they are wrong.
 * @module
 */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fetchUrl, proxyUrl } from "../../src/client/client.ts";
import { reply, routes } from "../support/answers.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { Site } from "./site.ts";
import type { Stage } from "./stage.ts";

const KEY = "test-key";
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
/** The target wants nobody to embed it: the key's owner decides. */
const CLOSED = { "Cross-Origin-Resource-Policy": "same-origin" };

/** What may be wrong with a link, and how it is written. */
interface Writing {
  mode: "url" | "arg";
  key?: string;
  expires?: Date;
}

/** Declares the tests. */
export function describeSigned(stage: Stage): void {
  describe("a signed link in a page of another site", () => {
    let proxy: Proxy;
    let target: Upstream;
    let wiki: Site;
    let context: BrowserContext;
    beforeAll(async () => {
      proxy = await startProxy(stage.runtime, { LOG: "off", SIGNING_KEY: KEY, PROXY_TOKEN: "secret" });
    });
    afterAll(async () => void await proxy.stop());
    beforeEach(async () => {
      [target, wiki, context] = await Promise.all([listen(), new Site().listen(), stage.open()]);
      target.answer = routes({
        "/a.gif": reply(200, { "Content-Type": "image/gif", ...CLOSED }, PIXEL),
        "/moved.gif": reply(302, { Location: "/a.gif", ...CLOSED }),
        "/report": reply(200, { "Content-Type": "text/html" }, "<!doctype html><title>Report</title>"),
      });
    });
    afterEach(() => Promise.all([target.close(), wiki.close(), context.close()]));

    /** The page is at 127.0.0.1, the proxy at localhost: another site to the browser. */
    const write = (path: string, { mode, key = KEY, expires }: Writing): Promise<string> => {
      const base = `http://localhost:${proxy.port}`;
      const options = { key, ...(expires && { expires }) };
      return mode === "url"
        ? proxyUrl(base, target.origin + path, options)
        : fetchUrl(base, { url: target.origin + path }, options);
    };
    const open = async (body: string, fields: Record<string, string> = {}): Promise<Page> => {
      wiki.answer = (_request, response) => {
        response.writeHead(200, { "Content-Type": "text/html", ...fields }).end(`<!doctype html>${body}`);
      };
      const page = await context.newPage();
      await page.goto(wiki.origin);
      return page;
    };
    const widthOf = (page: Page) => page.evaluate(() => document.querySelector("img")?.naturalWidth);

    it.each([
      { mode: "url" as const, path: "/a.gif" },
      { mode: "url" as const, path: "/moved.gif" },
      { mode: "arg" as const, path: "/a.gif" },
      { mode: "arg" as const, path: "/moved.gif" },
    ])("is an image, also where only what allows it may be embedded: $mode $path", async ({ mode, path }) => {
      const image = `<img src="${await write(path, { mode })}">`;
      const strict = { "Cross-Origin-Embedder-Policy": "require-corp" };
      expect([await widthOf(await open(image)), await widthOf(await open(image, strict))]).toEqual([1, 1]);
    });

    it.each([{ mode: "url" as const }, { mode: "arg" as const }])(
      "opens by a click: $mode",
      async ({ mode }) => {
        const page = await open(`<a href="${await write("/report", { mode })}">The report</a>`);
        await page.getByText("The report").click();
        await page.waitForURL(/__proxy__/);
        expect(await page.title()).toBe("Report");
      },
    );

    it.each([
      { about: "of another key", mode: "url" as const, key: "other" },
      { about: "of another key", mode: "arg" as const, key: "other" },
      { about: "that ended", mode: "url" as const, expires: new Date(Date.now() - 60_000) },
      { about: "that ended", mode: "arg" as const, expires: new Date(Date.now() - 60_000) },
    ])("is no image and no page where it is one $about: $mode", async ({ about: _about, ...writing }) => {
      const link = await write("/a.gif", writing);
      const page = await open(`<img src="${link}"><a href="${link}">It</a>`);
      expect(await widthOf(page)).toBe(0);
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().isNavigationRequest()),
        page.getByText("It").click(),
      ]);
      expect(answer.status()).toBe(403);
      expect(target.requests).toEqual([]);
    });
  });
}
