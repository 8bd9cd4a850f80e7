/**
 * Row 2: a page that is the target of the plain origin, by cookie, asks for services of this machine.
 * @module
 */
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SECRET } from "../support/sites.ts";
import { BLANK, PRIVATE, type Stage } from "./stage.ts";
import { type Place, READING, readWidth, SHOWING } from "./ways.ts";

const SERVICE = "http://127.0.0.1:3000";
const PAGES = {
  "evil.test/": BLANK,
  "127.0.0.1:3000/data.js": {
    fields: [["content-type", "text/javascript"]] as [string, string][],
    body: `globalThis.stolen = ${JSON.stringify(SECRET)}`,
  },
  "127.0.0.1:3000/picture": {
    fields: [["content-type", "image/svg+xml"]] as [string, string][],
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="77" height="7"/>`,
  },
  "localhost:5173/": BLANK,
};

/** Declares the tests. */
export function describePages(stage: Stage): void {
  describe("a page of the host that is set", () => {
    let page: Page;
    beforeAll(async () => {
      await stage.publish(PAGES);
      page = stage.keep(await stage.openHost("http://evil.test"));
    });
    beforeEach(() => stage.publish(PAGES));

    it.each(READING)("row 2: does not read this machine by $way", async ({ read }) => {
      expect(await page.title()).toBe("A page");
      expect(await page.evaluate(read, await placeOf(stage))).not.toContain(SECRET);
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });

    it.each(SHOWING)("row 2: does not read this machine by $way", async ({ read }) => {
      expect(await page.title()).toBe("A page");
      expect(await page.evaluate(read, await placeOf(stage))).not.toContain(SECRET);
    });

    it("row 2: does not see a picture of this machine", async () => {
      expect(await page.title()).toBe("A page");
      expect(await page.evaluate(readWidth, await placeOf(stage))).toBe(0);
    });

    it("row 2: does not read this machine where its own host is there", async () => {
      const page = await stage.openHost("http://rebind.test", { path: "/app" });
      expect(await page.textContent("body")).not.toContain(SECRET);
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });
  });

  describe("who may", () => {
    beforeEach(() => stage.publish(PAGES));

    it("row 2: a page of another port of this machine reads it through the proxy", async () => {
      const page = await stage.open();
      await page.goto("http://localhost:5173/");
      const address = `${await stage.origin()}/__proxy__/?url=${SERVICE}/`;
      expect(await page.evaluate((address) => fetch(address).then((answer) => answer.text()), address))
        .toBe(SECRET);
    });

    it("row 2: the console reads it", async () => {
      const page = await stage.open();
      await page.goto(`${await stage.origin()}/__proxy__/`);
      await sendInConsole(page, `${SERVICE}/`);
      expect(await page.locator("#answer").getByText(SECRET).textContent()).toContain(SECRET);
    });

    it("row 2: the console reads it while a host is set", async () => {
      const page = await stage.openHost("http://evil.test", { path: "/__proxy__/" });
      await sendInConsole(page, `${SERVICE}/`);
      expect(await page.locator("#answer").getByText(SECRET).textContent()).toContain(SECRET);
    });
  });
}

/** Where the page is, and what it wants. */
async function placeOf(stage: Stage): Promise<Place> {
  return { port: await stage.port(), service: SERVICE };
}

/** Sends a request in the console. */
async function sendInConsole(page: Page, address: string): Promise<void> {
  await page.getByRole("link", { name: "Compose", exact: true }).click();
  await page.fill("#address", address);
  await page.getByRole("button", { name: "Send" }).click();
}
