/** The seal beside the cookie of a host: who needs one, and which one fits. @module */
import { describe, expect, it } from "vitest";
import { ProcessKey } from "../../../src/core/exchange/process-key.ts";
import { bringsStrangers, isSealed, needsSeal, sealHost } from "../../../src/core/may/host-cookie.ts";
import { exchangeOf } from "../../support/exchange.ts";

const PAGE = {
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": "cors",
  "cookie": "proxy_host=http%3A%2F%2Fa.test",
};
const TYPED = {
  ...PAGE,
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

describe("a seal", () => {
  it("is made for browsers", async () => {
    expect(await sealHost(exchangeOf(), "http://a.test")).toBeUndefined();
    expect(await sealHost(exchangeOf({ fields: PAGE }), "")).toBe("proxy_seal=");
    expect(await sealHost(exchangeOf({ fields: PAGE }), "http://a.test")).toMatch(/^proxy_seal=[\w-]{22}$/);
  });

  it.each([
    { about: "its own host", host: "http://a.test", fits: true },
    { about: "the host as it is written", host: "http%3A%2F%2Fa.test", fits: true },
    { about: "another host", host: "http://b.test", fits: false },
    { about: "another path", host: "http://a.test/v1", fits: false },
  ])("fits $about: $fits", async ({ host, fits }) => {
    const seal = await sealHost(exchangeOf({ fields: PAGE }), "http://a.test");
    expect(await isSealed(exchangeOf({ fields: { cookie: `proxy_host=${host}; ${seal}` } }))).toBe(fits);
  });

  it("of another key fits nothing", async () => {
    const other = { ...exchangeOf({ fields: PAGE }), key: new ProcessKey("x") };
    const seal = await sealHost(other, "http://a.test");
    const exchange = exchangeOf({ fields: { cookie: `proxy_host=http://a.test; ${seal}` } });
    expect([await isSealed(exchange), await isSealed(exchangeOf({ fields: PAGE }))]).toEqual([false, false]);
  });

  it.each([
    { about: "a page", fields: PAGE, is: true },
    { about: "what is typed", fields: TYPED, is: false },
    { about: "a program", fields: { cookie: PAGE.cookie }, is: false },
    { about: "a page on a label", fields: { ...PAGE, host: "a-test.w.localhost" }, is: false },
    { about: "a page that navigates", fields: { ...TYPED, "sec-fetch-site": "same-origin" }, is: true },
    { about: "a page without a host", fields: { ...PAGE, cookie: "a=1" }, is: false },
    {
      about: "a browser that tells the site alone",
      fields: { "sec-fetch-site": "same-origin", "cookie": PAGE.cookie },
      is: false,
    },
  ])("is asked of $about: $is", ({ fields, is }) => {
    expect(needsSeal(exchangeOf({ fields: fields as Record<string, string> }))).toBe(is);
  });
});

it.each([
  { fields: PAGE, selector: "cookie" as const, host: "http://a.test", is: true },
  { fields: PAGE, selector: "cookie" as const, host: "http://localhost:3000", is: false },
  { fields: PAGE, selector: "label" as const, host: "http://a.test", is: false },
  { fields: {}, selector: "cookie" as const, host: "http://a.test", is: false },
])("$host by $selector with $fields brings strangers: $is", ({ fields, selector, host, is }) => {
  const target = { selector, origin: new URL(host), path: "/", basePath: "" };
  expect(bringsStrangers(exchangeOf({ fields: fields as Record<string, string> }), target)).toBe(is);
});
