/**
 * Row 4: a browser sends the password of one host to every path of the proxy that it believes to be the same place.
 * @module
 */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { SitePage } from "../support/sites.ts";
import { BLANK, type Stage, valuesOf } from "./stage.ts";

const BASIC = `Basic ${btoa("ann:battery-staple")}`;
const USER = { httpCredentials: { username: "ann", password: "battery-staple" } };

const LOCKED: SitePage = {
  status: 401,
  fields: [["www-authenticate", 'Basic realm="a"']],
  body: "locked",
  authorized: { body: "<!doctype html><title>Unlocked</title>" },
};
const PAGES = {
  "a.test/": LOCKED,
  "a.test/more": LOCKED,
  "b.test/": BLANK,
  "b.test/more": BLANK,
  "evil.test/": { body: "<!doctype html><a>Go</a>" },
};

/** Declares the tests. */
export function describePasswords(stage: Stage): void {
  /** What a site got for a password, in the order of its requests; favicons apart. */
  const passwords = async (host: string) => {
    const visits = (await stage.visits(host)).filter(({ path }) => path !== "/favicon.ico");
    return visits.map((visit) => valuesOf(visit, "authorization").join());
  };

  /** A window that has logged in to the first host. */
  const logIn = async (): Promise<{ page: Page; origin: string }> => {
    await stage.publish(PAGES);
    const page = await stage.openHost("http://a.test", USER);
    expect(await page.title()).toBe("Unlocked");
    return { page, origin: await stage.origin() };
  };

  describe("a password that the browser keeps", () => {
    it("row 4: goes to the host that asked for it", async () => {
      const { page, origin } = await logIn();
      await page.goto(`${origin}/more`);
      expect(await page.title()).toBe("Unlocked");
      expect(new Set(await passwords("a.test"))).toEqual(new Set(["", BASIC]));
    });

    it("row 4: does not go to the next host, and still works at the one before", async () => {
      const { page, origin } = await logIn();
      await page.goto(`${origin}/__proxy__/?host=http://b.test`);
      await page.goto(`${origin}/`);
      await page.goto(`${origin}/more`);
      await page.evaluate(() => fetch("/more", { method: "POST" }).then(String));
      expect(await passwords("b.test")).toEqual(["", "", ""]);
      await page.goto(`${origin}/__proxy__/?host=http://a.test`);
      await page.goto(`${origin}/more`);
      expect(await page.title()).toBe("Unlocked");
    });

    it("row 4: does not go where a link to ?url= leads", async () => {
      const { page, origin } = await logIn();
      await page.goto("http://evil.test/");
      await page.evaluate(
        (address) => document.querySelector("a")!.href = address,
        `${origin}/__proxy__/?url=http://b.test/`,
      );
      await page.getByText("Go").click();
      await page.waitForURL(/__proxy__/);
      expect(await passwords("b.test")).toEqual([""]);
    });

    it("row 4: does not go where a page of the host asks ?url=", async () => {
      const { page } = await logIn();
      await page.evaluate(() => fetch("/__proxy__/?url=http://b.test/").then(String));
      expect(await passwords("b.test")).toEqual([""]);
    });
  });

  describe("a challenge", () => {
    it("row 4: does not reach a browser by ?url=", async () => {
      await stage.publish(PAGES);
      const page = await stage.open(USER);
      const answer = await page.goto(`${await stage.origin()}/__proxy__/?url=http://a.test/`);
      expect(answer?.status()).toBe(401);
      expect(await answer?.headerValue("www-authenticate")).toBeNull();
      expect(new Set(await passwords("a.test"))).toEqual(new Set([""]));
    });
  });

  describe("a token that a page sets", () => {
    it("row 4: reaches its host", async () => {
      await stage.publish({ "a.test/": BLANK });
      const page = await stage.openHost("http://a.test");
      await page.evaluate(() => fetch("/api", { headers: { authorization: "Bearer t0ken" } }).then(String));
      expect(await passwords("a.test")).toEqual(["", "Bearer t0ken"]);
    });
  });
}
