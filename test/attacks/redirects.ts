/**
 * Row 17: redirects to another origin, where a host is set by cookie.
 * @module
 */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Header } from "../support/http.ts";
import { BLANK, type Stage } from "./stage.ts";

const to = (location: string) => ({ status: 302, fields: [["location", location]] as Header[] });
const PAGES = {
  "a.test/": {
    ...BLANK,
    fields: [["content-type", "text/html"], ["set-cookie", "root=3; Path=/"]] as Header[],
  },
  "a.test/picture": to("http://b.test/picture"),
  "a.test/data": to("http://b.test/data"),
  "a.test/away": to("http://b.test/page"),
  "b.test/picture": {
    fields: [["content-type", "image/svg+xml"]] as Header[],
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="77" height="7"/>`,
  },
  "b.test/data": { fields: [["content-type", "text/plain"]] as Header[], body: "data of b" },
  "b.test/page": { body: "<!doctype html><title>Page of b</title>" },
};

const LINK = "/__proxy__/?host=http://b.test&then=/page";

/** Ways to a link that sets the host without a person who follows it. */
const WAYS = [
  { way: "fetch", go: (link: string) => fetch(link).then((answer) => answer.status) },
  { way: "an image", go: loadImage },
  { way: "a frame", go: openFrame },
];

/** Declares the tests. */
export function describeRedirects(stage: Stage): void {
  const open = async () => {
    await stage.publish(PAGES);
    return await stage.openHost("http://a.test");
  };

  describe("a redirect to another origin", () => {
    it("row 17: of an image leaves the host as it is, and shows the image", async () => {
      const page = await open();
      const before = await readCookies(page);
      expect(await page.evaluate(loadImage, "/picture")).toBe(77);
      expect(await readCookies(page)).toEqual(before);
      await page.goto(`${await stage.origin()}/`);
      expect(await page.title()).toBe("A page");
    });

    it("row 17: of a fetch leaves the host as it is, and gives the answer", async () => {
      const page = await open();
      const before = await readCookies(page);
      const read = () => fetch("/data").then(async (answer) => [answer.url, await answer.text()]);
      expect(await page.evaluate(read)).toEqual([expect.stringContaining("/__proxy__/?url="), "data of b"]);
      expect(await readCookies(page)).toEqual(before);
    });

    it("row 17: of a frame leaves the host as it is", async () => {
      const page = await open();
      const before = await readCookies(page);
      await page.evaluate(openFrame, "/away");
      expect(page.frames()[1]?.url()).toContain("/__proxy__/?url=");
      expect(await readCookies(page)).toEqual(before);
    });

    it("row 17: of a navigation moves to that host", async () => {
      const page = await open();
      const origin = await stage.origin();
      await page.goto(`${origin}/away`);
      expect([await page.title(), page.url()]).toEqual(["Page of b", `${origin}/page`]);
      expect(await readCookies(page)).toContainEqual(["proxy_host", encodeURIComponent("http://b.test")]);
    });
  });

  describe("a link that sets the host", () => {
    it.each(WAYS)("row 17: does nothing by $way", async ({ go }) => {
      const page = await open();
      const before = await readCookies(page);
      const answered = page.waitForResponse((answer) => answer.url().includes("then="));
      await page.evaluate(go, LINK);
      expect((await answered).status()).toBe(403);
      expect(await readCookies(page)).toEqual(before);
    });
  });
}

/** Names and values of all cookies. */
async function readCookies(page: Page): Promise<string[][]> {
  return (await page.context().cookies()).map(({ name, value }) => [name, value]).sort();
}

/** The width of an image; 0 where it does not load. */
function loadImage(address: string): Promise<number> {
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = image.onerror = () => resolve(image.naturalWidth);
    image.src = address;
  });
}

function openFrame(address: string): Promise<number> {
  return new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.onload = () => resolve(0);
    frame.src = address;
    document.body.append(frame);
  });
}
