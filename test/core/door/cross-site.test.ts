/** Which requests to reserved paths come from elsewhere. @module */
import { describe, expect, it } from "vitest";
import { checkSite, refusePrefetch } from "../../../src/core/door/cross-site.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { alike } from "../../support/rows.ts";

const FORBIDDEN = expect.objectContaining({ code: "forbidden" });

describe("a request", () => {
  it.each<Record<string, string>>([{ "sec-fetch-site": "something" }, { "sec-fetch-site": "" }, {
    origin: "",
  }])(
    "is foreign where a browser says what nobody knows: %j",
    (fields) => expect(() => checkSite(exchangeOf({ fields }), "none")).toThrow(FORBIDDEN),
  );

  it.each([{ grant: "listed" as const }, { grant: "any" as const }])(
    "is no matter with $grant",
    ({ grant }) => {
      const exchange = exchangeOf({ path: "/__proxy__/", fields: { "sec-fetch-site": "cross-site" } });
      expect(() => checkSite(exchange, grant)).not.toThrow();
    },
  );

  it.each([
    { host: "LocalHost:8080", origin: "http://localhost:8080" },
    { host: "[::1]:8080", origin: "http://[::1]:8080" },
    ...alike("host", { origin: "http://proxy.test" })`proxy.test proxy.test:80 proxy.test:`,
    { host: "proxy.test:80", origin: "http://proxy.test:80" },
    { host: "proxy.test:443", origin: "https://proxy.test" },
    { host: "[::1]:80", origin: "http://[::1]" },
  ])("to $host from $origin is the proxy's own", ({ host, origin }) => {
    expect(() => checkSite(exchangeOf({ fields: { host, origin } }), "none")).not.toThrow();
  });

  it.each([
    ...alike("origin", { host: "proxy.test:80" })`https://proxy.test http://proxy.test.evil.test
      http://proxy.test:8080 http://`,
    { host: "proxy.test:443", origin: "http://proxy.test" },
    { host: "proxy.test:8080", origin: "http://proxy.test" },
    { host: "[::80]", origin: "http://[:" },
  ])("to $host from $origin is another's", ({ host, origin }) => {
    expect(() => checkSite(exchangeOf({ fields: { host, origin } }), "none")).toThrow(FORBIDDEN);
  });

  it("of no origin is nobody's own, whatever Host says", () => {
    const exchange = exchangeOf({ fields: { host: "null", origin: "null" } });
    expect(() => checkSite(exchange, "none")).toThrow(FORBIDDEN);
  });
});

describe("a request ahead of its time", () => {
  const ahead = (path: string, purpose: string) => () =>
    refusePrefetch(exchangeOf({ path, fields: { "sec-fetch-site": "none", "sec-purpose": purpose } }));

  it.each([
    { path: "/__proxy__/fetch?arg=e30", purpose: "prefetch" },
    { path: "/__proxy__/fetch?arg=e30", purpose: "prefetch;prerender" },
    { path: "/__proxy__/fetch?arg=e30", purpose: "Prefetch;anonymous-client-ip" },
    { path: "/__proxy__/?host=https://a.test", purpose: "prefetch" },
  ])("is refused: $purpose of $path", ({ path, purpose }) => expect(ahead(path, purpose)).toThrow(FORBIDDEN));

  it.each([
    { path: "/__proxy__/?url=https://a.test/", purpose: "prefetch;prerender" },
    { path: "/__proxy__/fetch?arg=e30", purpose: "" },
    { path: "/__proxy__/fetch?arg=e30", purpose: "prefetching" },
  ])("is taken: $purpose of $path", ({ path, purpose }) => expect(ahead(path, purpose)).not.toThrow());
});
