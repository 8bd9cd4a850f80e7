/** Which requests to reserved paths come from elsewhere. @module */
import { describe, expect, it } from "vitest";
import { checkSite } from "../../../src/core/door/cross-site.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { alike, words } from "../../support/rows.ts";

const FORBIDDEN = expect.objectContaining({ code: "forbidden" });

const SOURCES = [
  { site: undefined, origin: undefined, isForeign: false },
  ...alike("origin", { site: undefined, isForeign: false })`http://localhost:8080 https://localhost:8080`,
  ...alike("origin", { site: undefined, isForeign: true })`http://localhost:8081 http://localhost
    https://evil.test http://localhost:8080.evil.test null chrome-extension://abc`,
  { site: undefined, origin: "", isForeign: true },
  { site: "none", origin: undefined, isForeign: false },
  { site: "same-origin", origin: undefined, isForeign: false },
  { site: "same-origin", origin: "http://localhost:8080", isForeign: false },
  { site: "same-site", origin: undefined, isForeign: true },
  { site: "cross-site", origin: undefined, isForeign: true },
  { site: "cross-site", origin: "http://localhost:8080", isForeign: true },
  { site: "something", origin: undefined, isForeign: true },
  { site: "", origin: undefined, isForeign: true },
];

describe("a request", () => {
  it.each(SOURCES)("with Sec-Fetch-Site $site and Origin $origin", ({ site, origin, isForeign }) => {
    const exchange = exchangeOf({ path: "/__proxy__/", fields: { "sec-fetch-site": site, origin } });
    const check = () => checkSite(exchange, "none");
    const expectation = isForeign ? expect(check) : expect(check).not;
    expectation.toThrow(FORBIDDEN);
  });

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

const TOP = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

describe("a link of another site", () => {
  const check = (path: string, fields: Record<string, string> = TOP, method = "GET") => () =>
    checkSite(exchangeOf({ path, method, fields: { "sec-fetch-site": "cross-site", ...fields } }), "none");

  it.each([
    ...words`/__proxy__/?url=https://a.test/ /__proxy__?url=https://a.test/
      /__proxy__/?url=https%3A%2F%2Fa.test%2F /__proxy__/?url=https://a.test/?host=b
      /__proxy__/?x=1&url=https://a.test/`,
    // It forwards to url; the host stays as it is.
    ...words`/__proxy__/?host=https://b.test&url=https://a.test/ /__proxy__/?url=`,
  ])("may lead to %s", (path) => expect(check(path)).not.toThrow());

  it.each(words`/__proxy__/ /__proxy__ /__proxy__/?host=https://a.test /__proxy__/?host=
    /__proxy__/?xurl=https://a.test/&host=https://a.test /__proxy__/?host=https://a.test?url=
    /__proxy__/fetch?arg=e30 /__proxy__/fetch?url=https://a.test/ /__proxy__/metrics?url=https://a.test/
    /__proxy__//?url=https://a.test/`)(
    "may not lead to %s",
    (path) => expect(check(path)).toThrow(FORBIDDEN),
  );
});
