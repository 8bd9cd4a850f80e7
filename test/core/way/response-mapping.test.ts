/** Fields of an answer with addresses and cookies, as the caller can use them. @module */
import { describe, expect, it } from "vitest";
import { appendCookie, type Building } from "../../../src/core/way/response-mapping.ts";
import { cookieMapping, mapAddresses } from "../../../src/core/way/response-mapping.ts";
import type { TargetResponse } from "../../../src/core/exchange/exchange.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { hooksFor, tableOf } from "../../support/table.ts";
import { typedRows } from "../../support/rows.ts";

const ANSWER: TargetResponse = { status: 200, statusText: "OK", headers: new Fields(), body: null };

function building(fields: Record<string, string> = {}, given: { options?: Options } = {}): Building {
  const origin = new URL("http://a.test");
  const exchange = exchangeOf({ fields, ...given });
  const target = { selector: "header" as const, origin, basePath: "/base", path: "/base/x" };
  const request = {
    method: "GET",
    origin,
    path: target.path,
    headers: new Fields(),
    body: null,
    addresses: undefined,
    cookies: { host: undefined, sendsCookies: true, owner: undefined, isCrossing: false },
  };
  return { request, exchange, target };
}

it.each([
  { name: "location", value: "http://a.test/base/y", is: "/y" },
  { name: "content-location", value: "http://a.test/base/y", is: "/y" },
  { name: "sourcemap", value: "http://a.test/base/y", is: "/y" },
  { name: "refresh", value: "5; url=http://a.test/base/y", is: "5; url=/y" },
  { name: "link", value: "<http://a.test/base/y>; rel=next", is: "</y>; rel=next" },
])(
  "mapAddresses maps $name",
  ({ name, value, is }) => expect(mapAddresses(name, value, ANSWER, building())).toBe(is),
);

describe("appendCookie", () => {
  it("maps the path of a program's cookie", () => {
    const headers = new Fields();
    appendCookie(headers, "a=1; Path=/base/y; Domain=a.test", cookieMapping(ANSWER, building()));
    expect([...headers]).toEqual([["set-cookie", "a=1; Path=/y"]]);
  });

  it("keeps from a browser what would go to another host", () => {
    const headers = new Fields();
    const mapping = cookieMapping(ANSWER, building({ "sec-fetch-site": "none" }));
    expect(mapping).toBeUndefined();
    appendCookie(headers, "a=1", mapping);
    expect([...headers]).toEqual([]);
  });
});

describe("the origin of a cookie", () => {
  interface Row {
    about: string;
    address: string;
    hosts: string[];
    isTrusted: boolean;
    more?: {
      final?: string;
      options?: Options;
      fields?: Record<string, string>;
      entries?: Record<string, object>;
    };
  }
  const options: Options = { forwardClient: true };
  it.each(typedRows<Row>(["about", "address", "hosts", "isTrusted", "more"], [
    ["https", "https://a.test:8443", ["a.test"], true],
    ["plain http", "http://a.test", ["a.test"], false],
    ["loopback", "http://127.0.0.1:3000", [], true],
    ["a name of loopback", "http://x.localhost", [], true],
    ["a private address", "http://10.0.0.1", ["10.0.0.1"], false],
    ["one that hears the caller, who is on loopback", "http://a.test", ["a.test", "localhost"], true, {
      options,
    }],
    ["one that hears a caller who is not trusted", "http://a.test", ["a.test", "proxy.test"], false, {
      options,
      fields: { host: "Proxy.test:81" },
    }],
    ["one whose entry hands the caller's Host on", "http://a.test", ["a.test", "localhost"], true, {
      entries: { "a.test": { host: "caller" } },
    }],
    ["where a redirect ended", "https://b.test", ["a.test"], false, { final: "http://a.test" }],
  ]))("is that of $about", ({ address, more = {}, about: _about, ...origin }) => {
    const { final, options = {}, fields = {}, entries = {} } = more;
    const { exchange, target, ...built } = building({ host: "localhost:8080", ...fields }, { options });
    const known = { ...exchange, parts: hooksFor(tableOf(entries)) };
    const named = { ...target, origin: new URL(address) };
    const answer = { ...ANSWER, finalAddress: { origin: new URL(final ?? address), path: "/" } };
    expect(cookieMapping(answer, { ...built, exchange: known, target: named })?.origin).toEqual(origin);
  });
});
