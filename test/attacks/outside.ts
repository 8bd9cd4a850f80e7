/**
 * Rows 7 and 8: requests that came through somebody, and the token in an address.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../src/core/address/arg.ts";
import { PRIVATE, type Stage } from "./stage.ts";
import { SECRET } from "../support/sites.ts";

/** What fronts add. */
const FRONTS = [
  { name: "Forwarded", value: "for=192.0.2.1" },
  { name: "Via", value: "1.1 front" },
  { name: "X-Forwarded-For", value: "192.0.2.1" },
  { name: "X-Forwarded-Proto", value: "https" },
  { name: "X-Forwarded-Host", value: "proxy.example" },
  { name: "X-Forwarded-Port", value: "443" },
  { name: "X-Real-IP", value: "192.0.2.1" },
  { name: "CF-Connecting-IP", value: "192.0.2.1" },
  { name: "True-Client-IP", value: "192.0.2.1" },
];

const GUARDED = { PROXY_TOKEN: "s3cret" };
const SHOP = {
  "shop.test/": {
    body:
      "<!doctype html><title>Shop</title><script>document.title += location.href + document.referrer</script>",
  },
};

/** Declares the tests. */
export function describeOutside(stage: Stage): void {
  describe("a request that came through somebody", () => {
    it.each(FRONTS)("row 7: gets nothing of this machine: $name", async ({ name, value }) => {
      const fields = { Host: "localhost", [name]: value };
      const answer = await stage.call("GET /", {
        fields: { ...fields, proxy_host: "http://127.0.0.1:3000" },
      });
      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({ detail: expect.stringContaining("ALLOW_TARGETS") });
      expect(await stage.reached(PRIVATE)).toEqual([]);
      expect(await stage.call("HEAD /__proxy__/traffic", { fields })).toMatchObject({ status: 403 });
    });

    it("row 7: gets both where it came by itself", async () => {
      const fields = { Host: "localhost" };
      const answer = await stage.call("GET /", {
        fields: { ...fields, proxy_host: "http://127.0.0.1:3000" },
      });
      expect(answer).toMatchObject({ status: 200, text: SECRET });
      expect(await stage.call("HEAD /__proxy__/traffic", { fields })).toMatchObject({ status: 200 });
    });

    it("row 7: sees no live traffic in the console", async () => {
      const page = await stage.open({ extraHTTPHeaders: { "x-forwarded-for": "192.0.2.1" } });
      await page.goto(`${await stage.origin()}/__proxy__/`);
      await page.getByRole("link", { name: "Traffic", exact: true }).click();
      await page.getByText("Live traffic is off").waitFor();
    });
  });

  describe("the token in an address", () => {
    it.each([
      { link: "/__proxy__/?token=s3cret&url=http://shop.test/" },
      { link: `/__proxy__/fetch?token=s3cret&arg=${encodeArg({ url: "http://shop.test/" })}` },
    ])("row 8: is gone before the target's page is there: $link", async ({ link }) => {
      await stage.publish(SHOP);
      const page = await stage.open();
      const origin = await stage.origin(GUARDED);
      await page.goto(origin + link);
      expect(await page.title()).toMatch(/^Shophttp:\/\/localhost:/);
      expect([page.url(), await page.title()].filter((text) => /s3cret|token/.test(text))).toEqual([]);
      const cookies = await page.context().cookies();
      expect(cookies).toMatchObject([{ name: "proxy_token", value: "s3cret", httpOnly: true }]);
      expect((await page.goto(`${origin}/__proxy__/?url=http://shop.test/`))?.status()).toBe(200);
    });
  });
}
