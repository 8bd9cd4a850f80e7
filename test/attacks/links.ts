/**
 * Row 3: links that are mailed or typed, whose redirects keep `Sec-Fetch-Site: none`.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../src/core/address/arg.ts";
import { SECRET } from "../support/sites.ts";
import { PRESSING } from "./pressing.ts";
import { BLANK, PRIVATE, type Stage, valuesOf } from "./stage.ts";

const SERVICE = "127.0.0.1:3000";
const ADMIN = {
  url: `http://${SERVICE}/admin`,
  method: "POST",
  headers: { "x-admin": "yes" },
  body: { user: "mallory" },
};

/** What a person is asked about before it goes out. */
const ASKED = [
  { about: "a POST with fields and a body", argument: ADMIN },
  { about: "a DELETE", argument: { url: ADMIN.url, method: "DELETE" } },
  { about: "a GET with fields", argument: { url: ADMIN.url, headers: ADMIN.headers } },
];

/** What opens at once. */
const PLAIN = [
  { link: `/__proxy__/fetch?arg=${encodeArg({ url: ADMIN.url })}` },
  { link: `/__proxy__/?url=${ADMIN.url}` },
  { link: `/__proxy__/?url=${encodeURIComponent(ADMIN.url)}` },
];

/** Declares the tests. */
export function describeLinks(stage: Stage): void {
  /** The site redirects to this path of the proxy. */
  const redirect = async (path: string) => {
    const location = await stage.origin() + path;
    await stage.publish({
      "evil.test/": { status: 302, fields: [["location", location]] },
      "evil.test/pwn": BLANK,
    });
  };

  describe("a link that is typed or mailed", () => {
    it.each(ASKED)("row 3: asks before $about reaches this machine", async ({ argument }) => {
      await redirect(`/__proxy__/fetch?arg=${encodeArg(argument)}`);
      const page = await stage.open();
      await page.goto("http://evil.test/");
      expect(await stage.reached(PRIVATE)).toEqual([]);
      expect(await page.getByRole("button").count()).toBe(1);
    });

    it.each([
      { about: "no host is set", open: () => stage.open() },
      { about: "a host is set", open: () => stage.openHost("http://a.test") },
    ])(
      "row 3: shows what would be sent, and sends it once when it is told to, where $about",
      async ({ open }) => {
        await redirect(`/__proxy__/fetch?arg=${encodeArg(ADMIN)}`);
        const page = await open();
        await page.goto("http://evil.test/");
        const shown = await page.innerText("body");
        expect(["POST", SERVICE, "/admin", "x-admin"].filter((part) => !shown.includes(part))).toEqual([]);
        await page.getByRole("button").click();
        await page.getByText(SECRET).waitFor();
        const [visit, ...others] = await stage.visits(SERVICE);
        expect(visit).toMatchObject({ method: "POST", path: "/admin", body: '{"user":"mallory"}' });
        expect(valuesOf(visit!, "x-admin")).toEqual(["yes"]);
        expect(others.filter(({ path }) => path !== "/favicon.ico")).toEqual([]);
      },
    );

    it.each(PLAIN)("row 3: opens at once where it is a plain GET: $link", async ({ link }) => {
      await redirect(link);
      const page = await stage.open();
      await page.goto("http://evil.test/");
      expect(await page.textContent("body")).toBe(SECRET);
      expect(await stage.reached(PRIVATE)).toEqual([`GET ${SERVICE}/admin`]);
    });

    it("row 3: sets a host, and goes on to none of its paths", async () => {
      await redirect("/__proxy__/?host=http://evil.test&then=/pwn");
      const page = await stage.open();
      await page.goto("http://evil.test/");
      expect(JSON.parse(await page.innerText("body"))).toEqual({ host: "http://evil.test", status: true });
      expect((await stage.visits("evil.test")).map(({ path }) => path)).not.toContain("/pwn");
    });
  });

  describe("a page of the host that is set", () => {
    it.each(PRESSING)("row 3: does not press the button by $way", async ({ press }) => {
      await stage.publish({ "evil.test/": BLANK });
      const page = await stage.openHost("http://evil.test");
      await page.evaluate(press, { link: `/__proxy__/fetch?arg=${encodeArg(ADMIN)}`, address: ADMIN.url });
      await page.waitForTimeout(500);
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });
  });

  describe("a program", () => {
    it("row 3: is not asked", async () => {
      const answer = await stage.call(`GET /__proxy__/fetch?arg=${encodeArg(ADMIN)}`, {
        fields: { Host: "localhost" },
      });
      expect(answer).toMatchObject({ status: 200, text: SECRET });
      expect(await stage.reached(PRIVATE)).toEqual([`POST ${SERVICE}/admin`]);
    });
  });
}
