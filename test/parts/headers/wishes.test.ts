/** Which requests ask for something in `proxy_headers` and `proxy_seal`. @module */
import { describe, expect, it } from "vitest";
import { hasWishes, readSeals, sortLines } from "../../../src/parts/headers/wishes.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { alike } from "../../support/rows.ts";

describe("hasWishes", () => {
  it("is false for almost every request, which changes and seals nothing", () => {
    expect(hasWishes({})).toBe(false);
    expect(hasWishes(sortLines([]))).toBe(false);
  });

  it.each([
    ...alike("name", { noted: { overrides: ["x"] } })`proxy_headers proxy-headers`,
    ...alike("name", { noted: { seals: ["x"] } })`proxy_seal proxy-seal`,
  ])("is true with $name", ({ name, noted }) => {
    const steering = sortLines([[name, "x"]]);
    expect(steering).toEqual(noted);
    expect(hasWishes(steering)).toBe(true);
  });
});

it.each([
  { fields: {}, is: {} },
  { fields: { proxy_seal: "1" }, is: { seals: ["1"] } },
  { fields: { "proxy-seal": "1", proxy_headers: "e30" }, is: { seals: ["1"] } },
])("readSeals of $fields is $is", ({ fields, is }) => expect(readSeals(exchangeOf({ fields }))).toEqual(is));
