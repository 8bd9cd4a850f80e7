/** Which requests are dressed, and what of a request is. @module */
import { describe, expect, it } from "vitest";
import { changesFields, isDressed, toHop } from "../../../src/parts/gate/hop.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { tableOf } from "../../support/table.ts";

const exchange = exchangeOf({ fields: { host: "localhost:8080" } });

describe("whether there is anything to dress", () => {
  it.each([
    { members: { set: { a: "1" } }, expected: true },
    { members: { set: { "?a": "1" } }, expected: true },
    { members: { set: { "?a": "{{KEY}}" } }, expected: true },
    { members: { remove: ["a"] }, expected: true },
    { members: { host: "caller" }, expected: true },
    { members: { methods: ["GET"] }, expected: true },
    { members: { paths: ["/"] }, expected: true },
    { members: { answerSet: { a: "1" }, timeoutMs: 5 }, expected: false },
    { members: {}, expected: false },
  ])("is $expected for $members", ({ members, expected }) => {
    const known = { ...exchange, table: tableOf({ "a.test": members }) };
    expect(isDressed(known, new URL("https://a.test"))).toBe(expected);
    expect(isDressed(known, new URL("https://b.test"))).toBe(false);
  });

  it("holds for every target where callers may place keys: elsewhere that is refused", () => {
    const known = { ...exchange, table: tableOf({ "a.test": { keys: ["KEY"] } }) };
    expect(isDressed(known, new URL("https://b.test"))).toBe(true);
  });

  it.each([
    { claims: {}, expected: false },
    { claims: { paths: ["/v1/"] }, expected: true },
    { claims: { methods: ["GET"] }, expected: true },
  ])("is $expected without a table, for a token with $claims", ({ claims, expected }) => {
    const token = { claims } as never;
    expect(isDressed({ ...exchange, table: undefined, token }, new URL("https://a.test"))).toBe(expected);
    expect(isDressed({ ...exchange, table: undefined }, new URL("https://a.test"))).toBe(false);
  });
});

it("is of the hop alone: what else a request holds stays behind", () => {
  const hop = { origin: new URL("https://a.test"), path: "/", headers: new Fields(), addresses: undefined };
  expect(toHop({ ...hop, body: null } as typeof hop, { isNamed: true, isWhole: false })).toEqual({
    ...hop,
    isNamed: true,
    isWhole: false,
  });
});

it.each([
  { members: { set: { a: "1" } }, expected: true },
  { members: { remove: ["a"] }, expected: true },
  { members: { host: "caller" }, expected: true },
  { members: { set: { "?a": "1" } }, expected: false },
])("tells that $members changes fields: $expected", ({ members, expected }) => {
  expect(tableOf({ "a.test": members }).entries.map(changesFields)).toEqual([expected]);
});
