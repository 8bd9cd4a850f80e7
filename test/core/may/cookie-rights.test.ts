/** Where the cookies of a browser may go: to the configured host's origin only. @module */
import { describe, expect, it } from "vitest";
import { judgeCookies } from "../../../src/core/may/cookie-rights.ts";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { exchangeOf } from "../../support/exchange.ts";
const PLAIN = "localhost:8080";
const STORED = "sid=1; proxy_host=https%3A%2F%2Fa.test";

function may(
  fields: Record<string, string | undefined>,
  host: string,
  target: string,
  selector: Target["selector"],
): boolean {
  const described = { origin: new URL(target), path: "/", basePath: "", selector };
  return judgeCookies(exchangeOf({ fields: { host, ...fields } }), described).sendsCookies;
}

describe("another origin", () => {
  it.each([
    { about: "host", target: "https://b.test" },
    { about: "scheme", target: "http://a.test" },
    { about: "port", target: "https://a.test:8443" },
    { about: "subdomain", target: "https://x.a.test" },
    { about: "suffix", target: "https://a.test.evil.test" },
  ])("by its $about does not receive those of the stored host", ({ target }) => {
    expect(may({ cookie: STORED }, PLAIN, target, "url")).toBe(false);
    expect(may({ cookie: STORED, "sec-fetch-site": "same-origin" }, PLAIN, target, "url")).toBe(false);
    expect(may({ cookie: STORED, proxy_host: target }, PLAIN, target, "header")).toBe(false);
  });

  it("does not receive those of a host label's, whatever its pages stored", () => {
    const fields = { cookie: "sid=1; proxy_host=https://b.test", "sec-fetch-site": "same-origin" };
    expect(may(fields, "a-test.w.localhost", "https://b.test", "header")).toBe(false);
    expect(may(fields, "a-test.w.localhost", "https://a.test", "header")).toBe(true);
  });
});

it.each([
  { about: "has no configured host", fields: {}, host: PLAIN },
  { about: "came by a host label", fields: {}, host: "a-test.w.localhost" },
  { about: "named another host in the header", fields: { proxy_host: "https://a.test" }, host: PLAIN },
])(
  "a caller that is no browser and carries no proxy_host cookie sends its cookies to any url, also where it $about",
  ({ fields, host }) => {
    expect(may({ cookie: "sid=1", ...fields }, host, "https://b.test", "url")).toBe(true);
  },
);

it("is false where there are no cookies", () => {
  expect(may({ proxy_host: "https://a.test" }, PLAIN, "https://a.test", "header")).toBe(false);
});
