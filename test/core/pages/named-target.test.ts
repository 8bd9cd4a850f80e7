/** The targets of `url` and `arg`. @module */
import { describe, expect, it } from "vitest";
import { parseArgument } from "../../../src/core/pages/argument/argument.ts";
import { describeRequest, readArgTarget, readUrlTarget } from "../../../src/core/pages/named-target.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf } from "../../support/exchange.ts";

const argumentOf = (fields: Record<string, unknown>) =>
  parseArgument(new TextEncoder().encode(JSON.stringify({ url: "http://a.test/x", ...fields })));

describe("readUrlTarget", () => {
  it.each([
    { method: "GET", fields: {}, follow: true, isUnasked: false },
    { method: "POST", fields: {}, follow: false, isUnasked: false },
    { method: "POST", fields: BROWSER.typed, follow: false, isUnasked: true },
    { method: "GET", fields: BROWSER.typed, follow: true, isUnasked: false },
  ])("of a $method with $fields", ({ method, fields, ...wanted }) => {
    const target = readUrlTarget(exchangeOf({ method, fields }), "http://a.test/x?y");
    expect(target).toMatchObject({ selector: "url", path: "/x?y", basePath: "", ...wanted });
  });

  it.each([null, "", "ftp://a.test", "ws://a.test"])("refuses %s", (text) => {
    expect(() => readUrlTarget(exchangeOf(), text)).toThrow(/^Cannot use parameter url: it .+, expected /);
  });
});

it.each([
  { argument: {}, hasSaidYes: false, isUnasked: false, follow: true },
  { argument: { method: "POST" }, hasSaidYes: false, isUnasked: true, follow: true },
  { argument: { method: "POST", redirect: "manual" }, hasSaidYes: true, isUnasked: false, follow: false },
  { argument: { headers: { "x-a": "1" } }, hasSaidYes: false, isUnasked: true, follow: true },
])("readArgTarget of $argument, confirmed: $hasSaidYes", async ({ argument, hasSaidYes, ...wanted }) => {
  const exchange = exchangeOf({ fields: BROWSER.typed });
  expect(readArgTarget(exchange, await argumentOf(argument), hasSaidYes))
    .toMatchObject({ selector: "arg", ...wanted });
});

it("describeRequest keeps CDN-Loop of the caller's fields, and nothing else", async () => {
  const exchange = exchangeOf({ fields: { "cdn-loop": "other", cookie: "a=1" } });
  const { described } = describeRequest(exchange, await argumentOf({ method: "PUT", body: "abc" }));
  expect(described.method).toBe("PUT");
  expect([described.headers.get("cdn-loop"), described.headers.get("cookie")]).toEqual(["other", null]);
  expect(described.headers.get("content-length")).toBe("3");
});
