/**
 * Fields of an answer with addresses and cookies, as the caller can use them.
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  appendCookie,
  type Building,
  cookieMapping,
  mapAddresses,
} from "../../src/exchange/answer-mapping.ts";
import type { Answer } from "../../src/exchange/exchange.ts";
import { Fields } from "../../src/http/fields.ts";
import { exchangeOf } from "../support/exchange.ts";

const ANSWER: Answer = { status: 200, statusText: "OK", headers: new Fields(), body: null };

function building(fields: Record<string, string> = {}): Building {
  const origin = new URL("http://a.test");
  const exchange = exchangeOf({ fields });
  const target = { selector: "header" as const, origin, basePath: "/base", path: "/base/x" };
  const cookies = { host: undefined, sendsCookies: true, owner: undefined, isCrossing: false };
  const request = {
    method: "GET",
    origin,
    path: target.path,
    headers: new Fields(),
    body: null,
    addresses: undefined,
    cookies,
    isSealed: false,
    isChanged: false,
  };
  return { request, exchange, target };
}

describe("mapAddresses", () => {
  it.each([
    { name: "location", value: "http://a.test/base/y", is: "/y" },
    { name: "content-location", value: "http://a.test/base/y", is: "/y" },
    { name: "refresh", value: "5; url=http://a.test/base/y", is: "5; url=/y" },
    { name: "link", value: "<http://a.test/base/y>; rel=next", is: "</y>; rel=next" },
  ])("maps $name", ({ name, value, is }) => {
    expect(mapAddresses(name, value, ANSWER, building())).toBe(is);
  });
});

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
