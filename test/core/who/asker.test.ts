/** Who asks: what a browser says of each request, and what it says nothing of. @module */
import { describe, expect, it } from "vitest";
import type { Asker } from "../../../src/core/who/asker.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf, TICKET } from "../../support/exchange.ts";
import { typedRows } from "../../support/rows.ts";

const LABEL = "h-evil-test.w.localhost:8080";
const EVIL = "proxy_host=http://evil.test";

type Fields = Record<string, string | undefined>;

describe("who asks", () => {
  const { script, typed, link, blind, elsewhere } = BROWSER;
  const ticket = { "x-fetchvia-ticket": TICKET };
  const evil = { ...elsewhere, origin: "https://evil.test" };
  type Row = { about: string; fields: Fields; options?: Options; asker: Asker };
  const rows = typedRows<Row, readonly ["about", "asker", "fields", "options"]>(
    ["about", "asker", "fields", "options"],
    [
      ["curl", "program", {}],
      ["curl with a cookie and a Referer", "program", { cookie: EVIL, referer: "http://a.test/" }],
      ["curl behind a label", "program", { host: LABEL }],
      ["an address that is typed", "user", typed],
      ["a form of the proxy's own page", "user", { ...link, referer: "http://localhost:8080/__proxy__/" }],
      ["any page behind a label", "page", { ...script, host: LABEL }],
      ["what is typed behind a label", "page", { ...typed, host: LABEL }],
      ["who shows the ticket behind a label", "page", { ...script, host: LABEL, ...ticket }],
      ["a page by the cookie", "page", { ...script, cookie: EVIL }],
      ["a page by a cookie that can't be read", "page", { ...script, cookie: "proxy_host=x" }],
      ["what is typed with the cookie", "page", { ...typed, cookie: EVIL }],
      ["a page that leaves out the cookie", "page", { ...script, referer: "http://localhost:8080/x" }],
      ["a page that leaves out all it can", "page", script],
      ["the same without CORS", "page", blind],
      ["an Origin of its own with the cookie", "page", { origin: "http://localhost:8080", cookie: EVIL }],
      ["the other loopback name of the proxy", "page", {
        ...elsewhere,
        origin: "http://127.0.0.1:8080",
        cookie: EVIL,
      }],
      ["the console", "console", { ...script, ...ticket }],
      ["the console beside a cookie", "console", { ...script, cookie: EVIL, ...ticket }],
      ["a wrong ticket", "page", { ...script, cookie: EVIL, "x-fetchvia-ticket": "x" }],
      ["a page on another port", "granted", { ...elsewhere, origin: "http://localhost:5173" }],
      ["a page that is listed", "granted", evil, { corsOrigins: "https://evil.test" }],
      ["a page of `*`", "stranger", evil, { corsOrigins: "*" }],
      ["a page of `*` behind a label", "stranger", { ...evil, host: LABEL }, { corsOrigins: "*" }],
      ["a link beside `*`", "user", { ...typed, "sec-fetch-site": "cross-site" }, { corsOrigins: "*" }],
      ["a label's page", "user", { ...elsewhere, origin: `http://${LABEL}` }],
      ["a page of the preset target", "page", { ...link, referer: "http://localhost:8080/x" }, {
        target: "http://a.test",
      }],
    ],
  );
  it.each(rows)("$about: $asker", ({ fields, options, asker }) => {
    expect(exchangeOf({ fields, options }).asker).toBe(asker);
  });
});
