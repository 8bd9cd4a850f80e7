/**
 * Row 5: cookies of one host and the next, which share an origin; and a login that goes over two of them.
 * @module
 */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Header } from "../support/http.ts";
import { BLANK, type Stage, valuesOf } from "./stage.ts";

/** An app on this machine. */
const SERVICE = "127.0.0.1:3000";

const PAGES = {
  "a.test/app/set": {
    ...BLANK,
    fields: [
      ["content-type", "text/html"],
      ["set-cookie", "sid=1; Path=/app; HttpOnly"],
      ["set-cookie", "ui=2; Path=/app"],
      ["set-cookie", "root=3; Path=/"],
    ] as Header[],
  },
  "a.test/app/x": BLANK,
  "b.test/app/x": BLANK,
  "b.test/app/set": {
    ...BLANK,
    fields: [["content-type", "text/html"], ["set-cookie", "sid=9; Path=/app; HttpOnly"]] as Header[],
  },
};

/** An app, and the provider that it sends people to; both keep a cookie that no script sees. */
const buildLogin = (app: string) => ({
  [`${app}/app`]: moved("http://b.test/authorize?client=app", "state=s1; Path=/; HttpOnly"),
  [`${app}/callback`]: { body: "<!doctype html><title>Welcome</title>" },
  "b.test/authorize": {
    body: '<!doctype html><form action="/login" method="post"><button>Log in</button></form>',
  },
  "b.test/login": moved(`http://${app}/callback?code=c1`, "session=s2; Path=/; HttpOnly"),
});

/** Declares the tests. */
export function describeSwitching(stage: Stage): void {
  /** The cookies that came with the last request for a path. */
  const cookiesOf = async (host: string, path: string) => {
    const visit = (await stage.visits(host)).findLast((visit) => visit.path.split("?")[0] === path);
    expect(visit).toBeDefined();
    return valuesOf(visit!, "cookie").flatMap((value) => value.split("; ")).sort();
  };

  /** A window with cookies of the first host. */
  const open = async (): Promise<{ page: Page; origin: string }> => {
    await stage.publish(PAGES);
    return {
      page: await stage.openHost("http://a.test", { path: "/app/set" }),
      origin: await stage.origin(),
    };
  };

  /** Sets a host, and opens a path of it. */
  const move = async ({ page, origin }: { page: Page; origin: string }, host: string, path: string) => {
    await page.goto(`${origin}/__proxy__/?host=http://${host}`);
    await page.goto(origin + path);
  };

  describe("cookies", () => {
    it("row 5: go to their own host, and its pages see theirs by name", async () => {
      const { page, origin } = await open();
      await page.goto(`${origin}/app/x`);
      expect(await cookiesOf("a.test", "/app/x")).toEqual(["root=3", "sid=1", "ui=2"]);
      expect((await page.evaluate(() => document.cookie)).split("; ").sort()).toEqual(["root=3", "ui=2"]);
    });

    it("row 5: do not go to the next host, whatever their path", async () => {
      const window = await open();
      await move(window, "b.test", "/app/x");
      expect(await cookiesOf("b.test", "/app/x")).toEqual([]);
      expect(await window.page.evaluate(() => document.cookie)).toBe("");
    });

    it("row 5: that no script sees are there again when the host is", async () => {
      const window = await open();
      await move(window, "b.test", "/app/x");
      await move(window, "a.test", "/app/x");
      expect(await cookiesOf("a.test", "/app/x")).toContain("sid=1");
    });
  });

  describe("cookies of one name", () => {
    it("row 5: of two hosts are kept apart", async () => {
      const window = await open();
      await move(window, "b.test", "/app/set");
      await window.page.goto(`${window.origin}/app/x`);
      expect(await cookiesOf("b.test", "/app/x")).toEqual(["sid=9"]);
      await move(window, "a.test", "/app/x");
      const cookies = await cookiesOf("a.test", "/app/x");
      expect(cookies.filter((cookie) => cookie.startsWith("sid="))).toEqual(["sid=1"]);
    });
  });

  describe("a login that goes over two origins", () => {
    it.each([
      { app: "a.test", by: "cookie", open: () => stage.openHost("http://a.test", { path: "/app" }) },
      { app: "a.test", by: "label", open: () => openLogin(stage, "h-a-test") },
      { app: SERVICE, by: "cookie", open: () => stage.openHost(`http://${SERVICE}`, { path: "/app" }) },
      { app: SERVICE, by: "label", open: () => openLogin(stage, "127-0-0-1-3000") },
    ])("row 5: works for $app by $by", async ({ app, open }) => {
      await stage.publish(buildLogin(app));
      const page = await open();
      await page.getByRole("button", { name: "Log in" }).click();
      await page.waitForURL(/\/callback/);
      expect(await page.title()).toBe("Welcome");
      expect(await cookiesOf(app, "/callback")).toEqual(["state=s1"]);
      expect(await cookiesOf("b.test", "/authorize")).toEqual([]);
    });
  });
}

async function openLogin(stage: Stage, label: string): Promise<Page> {
  const page = await stage.open();
  await page.goto(`${await stage.label(label)}/app`);
  return page;
}

/** A redirect that sets a cookie. */
function moved(location: string, cookie: string): { status: number; fields: Header[] } {
  return { status: 302, fields: [["location", location], ["set-cookie", cookie]] };
}
