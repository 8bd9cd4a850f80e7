/**
 * Row 9: a page whose name leads to the proxy itself, where settings open private targets.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../src/core/address/arg.ts";
import { SECRET } from "../support/sites.ts";
import { BLANK, PRIVATE, type Stage } from "./stage.ts";

const OPEN = { PRIVATE_TARGETS: "true" };
const ADDRESS = "/__proxy__/?url=http://10.1.2.3/";

/** Settings that open private targets without a token. */
const OPENED = [{ settings: OPEN }, { settings: { ALLOW_TARGETS: "10.1.2.3" } }];

/** Who may all the same. */
const GRANTED = [
  { about: "in HOSTS", settings: { ...OPEN, HOSTS: "rebound.test" }, headers: {} },
  { about: "with the token", settings: { ...OPEN, PROXY_TOKEN: "t" }, headers: { proxy_token: "t" } },
];

/** What came of a request in a page. */
interface Read {
  status: number;
  text: string;
}

/** Declares the tests. */
export function describeRebound(stage: Stage): void {
  /** Asks from a page of a foreign name that leads to the proxy. */
  const ask = async (settings: Record<string, string>, path: string, headers = {}): Promise<Read> => {
    const page = await stage.open();
    // What is there without a token, and has no policy of its own.
    await page.goto(`http://rebound.test:${await stage.port(settings)}/__proxy__/health`);
    return page.evaluate(async ({ path, headers }) => {
      const answer = await fetch(path, { headers });
      // Live traffic never ends.
      return { status: answer.status, text: path.endsWith("traffic") ? "" : await answer.text() };
    }, { path, headers });
  };

  describe("a page whose name leads to the proxy", () => {
    it.each(OPENED)("row 9: gets nothing private with $settings", async ({ settings }) => {
      expect((await ask(settings, ADDRESS)).status).toBe(403);
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });

    it("row 9: gets nothing private by a cookie of its own", async () => {
      const page = await stage.open();
      await page.goto(`http://rebound.test:${await stage.port(OPEN)}/`);
      await page.evaluate(() => {
        document.cookie = "proxy_host=http://10.1.2.3; path=/";
        return fetch("/").then(String);
      });
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });

    it.each([
      { by: "header", path: "/", headers: { proxy_host: "http://10.1.2.3" } },
      { by: "arg", path: `/__proxy__/fetch?arg=${encodeArg({ url: "http://10.1.2.3/" })}`, headers: {} },
    ])("row 9: gets nothing private by $by", async ({ path, headers }) => {
      expect((await ask(OPEN, path, headers)).status).toBe(403);
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });

    it("row 9: sees no live traffic", async () =>
      expect((await ask(OPEN, "/__proxy__/traffic")).status).toBe(403));

    it.each(GRANTED)("row 9: gets private targets $about", async ({ settings, headers }) => {
      expect(await ask(settings, ADDRESS, headers)).toEqual({ status: 200, text: SECRET });
    });
  });

  describe("a page of any origin where CORS_ORIGINS is *", () => {
    it.each([
      { address: "http://127.0.0.1:3000/", status: 403 },
      { address: "http://10.1.2.3/", status: 403 },
      { address: "http://shop.test/", status: 200 },
    ])("row 9: is answered $status for $address", async ({ address, status }) => {
      await stage.publish({ "evil.test/": BLANK });
      const page = await stage.open();
      await page.goto("http://evil.test/");
      const base = await stage.origin({ ...OPEN, CORS_ORIGINS: "*" });
      const read = (link: string) => fetch(link).then((answer) => answer.status);
      expect(await page.evaluate(read, `${base}/__proxy__/?url=${address}`)).toBe(status);
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });
  });
}
