import { describe, expect, it } from "vitest";
import { findEntry } from "../../../src/core/exchange/hooks.ts";
import { exchangeOf } from "../../support/parts-exchange.ts";
import { hooksFor, tableOf } from "../../support/table.ts";
import { alike, rowsOf } from "../../support/rows.ts";
import { tokenOf } from "../../support/token.ts";

const FORBIDDEN = (says: string) =>
  expect.objectContaining({ code: "forbidden", message: expect.stringContaining(says) });

function hopOf(text: string) {
  const origin = new URL(text);
  return { origin, hostname: origin.hostname, port: Number(origin.port || 443) };
}

describe("targets of a token", () => {
  it.each([
    { targets: undefined, host: "https://a.test" },
    ...alike("targets", { host: "https://a.test" })`a.test *.test:443 10.0.0.0/8`,
  ])("$targets may hold $host", ({ targets, host }) => {
    expect(() => tokenOf({ ...(targets && { targets }) }).checkName(hopOf(host), true)).not.toThrow();
  });

  it.each([
    ...alike("targets", { host: "https://a.test", isResolved: true })`b.test *.a.test a.test:80`,
    { targets: "10.0.0.0/8", host: "https://192.168.0.1", isResolved: true },
    { targets: "10.0.0.0/8", host: "https://a.test", isResolved: false },
  ])("$targets do not hold $host, names looked up: $isResolved", ({ targets, host, isResolved }) => {
    expect(() => tokenOf({ targets }).checkName(hopOf(host), isResolved))
      .toThrow(FORBIDDEN("is not in targets of the caller's token"));
  });

  it("hold all addresses of a name, or the name", () => {
    const token = tokenOf({ targets: "10.0.0.0/8,b.test" });
    const check = (host: string, ...addresses: string[]) => () =>
      token.checkAddresses(hopOf(host), addresses);
    expect(check("https://a.test", "10.0.0.1")).not.toThrow();
    expect(check("https://b.test", "192.0.2.1")).not.toThrow();
    expect(check("https://a.test", "10.0.0.1", "192.0.2.1")).toThrow(FORBIDDEN("targets"));
  });
});

describe("methods, paths and place of a token", () => {
  const origin = new URL("https://a.test");
  const table = tableOf({ "a.test": { set: { "x-api-key": "{{KEY}}", "x-plain": "1" } } });
  const entry = findEntry(hooksFor(table), origin);
  const check = (fields: string[]) => () => tokenOf({}, { fields }).checkPlace(origin, entry);

  it("take it in a field of a key, and in no other", () => {
    expect(check(["x-api-key"])).not.toThrow();
    expect(check(["authorization", "x-api-key"])).not.toThrow();
    expect(check(["x-plain"])).toThrow("a.test takes no key in x-plain");
    const alone = () => tokenOf({}, { fields: ["x-api-key"] }).checkPlace(origin, undefined);
    expect(alone).toThrow(expect.objectContaining({ code: "token_missing" }));
  });
});

describe("origins of a token", () => {
  const token = tokenOf({ origins: ["https://app.test", "http://localhost:8080"] });

  it.each([
    { about: "a program", fields: {} },
    { about: "a listed page", fields: { origin: "https://app.test", "sec-fetch-site": "cross-site" } },
    { about: "a page of the proxy's own", fields: { "sec-fetch-site": "same-origin" } },
  ])("let in $about", ({ fields }) => expect(() => token.checkOrigin(exchangeOf({ fields }))).not.toThrow());

  it.each(rowsOf(["about", "fields"], [
    ["another page", { origin: "https://evil.test" }],
    ["a page without a name", { origin: "null" }],
    ["a link", { "sec-fetch-site": "none" }],
    ["an image", { "sec-fetch-site": "cross-site" }],
    ["the own page under another name", { "sec-fetch-site": "same-origin", host: "localhost:1" }],
  ]))("keep out $about", ({ fields }) => {
    expect(() => token.checkOrigin(exchangeOf({ fields }))).toThrow(FORBIDDEN("origins"));
  });

  it("keep nobody out with a star, or where none are claimed", () => {
    const exchange = exchangeOf({ fields: { origin: "https://evil.test" } });
    expect(() => tokenOf({ origins: "*" }).checkOrigin(exchange)).not.toThrow();
    expect(() => tokenOf({}).checkOrigin(exchange)).not.toThrow();
  });
});
