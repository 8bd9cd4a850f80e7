/**
 * Row 10: cookies that an address plants in the browser, where they would belong to the proxy or to the host that is set.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../src/core/address/arg.ts";
import type { Header } from "../support/http.ts";
import { BLANK, type Stage, valuesOf } from "./stage.ts";

/** As many as fit into the head of one answer, under names of their own. */
const fill = (prefix: string) =>
  Array.from({ length: 14 }, (_, index): Header => ["set-cookie", `${prefix}${index}=${"x".repeat(4000)}`]);
const PAGES = {
  "evil.test/bomb/1": { ...BLANK, fields: fill("one") },
  "evil.test/bomb/2": { ...BLANK, fields: fill("two") },
  "evil.test/plant": {
    ...BLANK,
    fields: [
      ["set-cookie", "sid=planted; Path=/"],
      ["set-cookie", "__Host-sid=planted; Path=/; Secure"],
      ["set-cookie", "proxy_host=http://evil.test; Path=/"],
    ] as Header[],
  },
  "a.test/": BLANK,
  "a.test/set": { ...BLANK, fields: [["set-cookie", "root=3; Path=/"]] as Header[] },
};

/** Both ways to an address. */
const WAYS = [
  { way: "url", link: (address: string) => `/__proxy__/?url=${address}` },
  { way: "arg", link: (url: string) => `/__proxy__/fetch?arg=${encodeArg({ url })}` },
];

/** Declares the tests. */
export function describePlanting(stage: Stage): void {
  /** The cookies that came with the last request for a path of the host that is set. */
  const cookiesOf = async (path: string) => {
    const visit = (await stage.visits("a.test")).findLast((visit) => visit.path === path);
    expect(visit).toBeDefined();
    return valuesOf(visit!, "cookie");
  };

  describe.each(WAYS)("cookies of an address by $way", ({ link }) => {
    it("row 10: are not kept, however many", async () => {
      await stage.publish(PAGES);
      const page = await stage.open();
      const origin = await stage.origin();
      expect((await page.goto(origin + link("http://evil.test/bomb/1")))?.status()).toBe(200);
      await page.goto(origin + link("http://evil.test/bomb/2"));
      expect(await page.context().cookies()).toEqual([]);
      expect((await page.goto(`${origin}/__proxy__/`))?.status()).toBe(200);
    });

    it("row 10: do not reach the host that is set", async () => {
      await stage.publish(PAGES);
      const page = await stage.openHost("http://a.test");
      const origin = await stage.origin();
      await page.evaluate((link) => fetch(link).then(String), link("http://evil.test/plant"));
      await page.goto(origin + link("http://evil.test/plant"));
      await page.goto(`${origin}/x`);
      await page.goto(`${origin}/__proxy__/?url=http://a.test/y`);
      expect([await cookiesOf("/x"), await cookiesOf("/y")]).toEqual([[], []]);
    });

    it("row 10: are kept where the address belongs to the host that is set", async () => {
      await stage.publish(PAGES);
      const page = await stage.openHost("http://a.test");
      const origin = await stage.origin();
      await page.goto(origin + link("http://a.test/set"));
      await page.goto(`${origin}/x`);
      expect(await cookiesOf("/x")).toEqual(["root=3"]);
    });
  });
}
