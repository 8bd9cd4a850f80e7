/** What the list draws besides its rows: order, bars, saved filters. Pure functions. @module */
import { describe, expect, it } from "vitest";
import { NEWEST, sortRows, turnSort } from "../../../src/console/traffic/columns.ts";
import { splitAddress } from "../../../src/console/traffic/row-route.ts";
import { hasTermsOf, isKept, keepSaved } from "../../../src/console/traffic/saved-filters.ts";
import { readSaved, toggleTerms } from "../../../src/console/traffic/saved-filters.ts";
import { spanOf } from "../../../src/console/traffic/list-model.ts";
import { SECRET_FIELDS, SECRET_PARAMETERS } from "../../support/secret-names.ts";
import { entryOf } from "./entries.ts";

describe("the order of the list", () => {
  const rows = ["b", "a", "c"].map((key, at) => ({
    key,
    entry: { ...entryOf({ key }), time: 30 - at, method: key, totalMs: 5 * at },
    text: "",
    isShown: true,
  }));
  const order = (sort: typeof NEWEST) => sortRows([...rows], sort, 0).map(({ key }) => key).join("");

  it.each([
    { sort: NEWEST, expected: "bac" },
    { sort: turnSort(NEWEST, "time"), expected: "cab" },
    { sort: turnSort(NEWEST, "number took"), expected: "cab" },
    { sort: turnSort(turnSort(NEWEST, "number took"), "number took"), expected: "bac" },
    { sort: turnSort(NEWEST, "method", true), expected: "abc" },
    { sort: { column: "timeline", isUp: true }, expected: "bac" },
  ])("by $sort is $expected", ({ sort, expected }) => expect(order(sort)).toBe(expected));

  it("counts how long a request runs by now", () => {
    const running = { ...rows[0]!, entry: { ...rows[0]!.entry, totalMs: 0, isRunning: true as const } };
    expect(sortRows([rows[2]!, running], turnSort(NEWEST, "number took"), 100)[0]).toBe(running);
  });
});

it.each([
  { address: "https://a.test:8/b/c?d=e#f", expected: { host: "a.test:8", path: "/b/c", query: "?d=e#f" } },
  { address: "ws://a.test", expected: { host: "a.test", path: "", query: "" } },
  { address: undefined, expected: { host: "t:1", path: "", query: "" } },
])("an address is split: $address", ({ address, expected }) => {
  expect(splitAddress(address, "t:1")).toEqual(expected);
});

it.each([
  { entries: [], expected: { from: 0, ms: 1 } },
  { entries: [[10, 0]], expected: { from: 10, ms: 1 } },
  // One of four is long: it is cut.
  { entries: [[10, 2], [20, 2], [30, 4], [40, 9_000]], expected: { from: 10, ms: 34 } },
])("bars are drawn over $expected", ({ entries, expected }) => {
  expect(spanOf(entries.map(([time = 0, totalMs = 0]) => ({ time, totalMs })))).toEqual(expected);
});

describe("saved filters", () => {
  it.each([
    { filter: "", preset: "status:5xx", expected: "status:5xx" },
    { filter: "host:api", preset: "status:5xx >1s", expected: "host:api status:5xx >1s" },
    { filter: "host:api status:5xx >1s", preset: "status:5xx >1s", expected: "host:api" },
    { filter: ">1s", preset: "status:5xx >1s", expected: ">1s status:5xx >1s" },
  ])("$preset turns $filter into $expected", ({ filter, preset, expected }) => {
    expect(toggleTerms(filter, preset)).toBe(expected);
  });

  it("are known by all of their terms", () =>
    expect([hasTermsOf("a b", "b"), hasTermsOf("b", "a b")]).toEqual([true, false]));

  it.each(["body:s3cret", "-body:s3cret", "hots:api", " ", "x".repeat(201), 7, "/(a+)+$/"])(
    "do not keep %s",
    (filter) => expect(isKept(filter)).toBe(false),
  );

  it("do not keep a value of any name that the table of secrets has, in whatever term", () => {
    const terms = [
      ...SECRET_PARAMETERS.flatMap((name) => [
        `${name}=PLANTED`,
        `path:/order?a=1&${name}=PLANTED`,
        `-/${name}=PLANTED/`,
      ]),
      ...SECRET_FIELDS.map((name) => `"${name}: PLANTED"`),
    ];
    expect(terms.filter((term) => isKept(`status:5xx ${term}`))).toEqual([]);
  });

  it("outlive the page, as far as the storage can be trusted", () => {
    const kept = new Map<string, string>();
    const shelf = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    keepSaved(shelf, ["status:404", "body:s3cret"]);
    expect([readSaved(shelf), [...kept.values()]]).toEqual([["status:404"], ['["status:404"]']]);
    kept.set("fetchvia.filters", JSON.stringify([...Array(12).fill("/(a+)+$/"), "status:404"]));
    expect(readSaved(shelf)).toEqual(["status:404"]);
    kept.set("fetchvia.filters", '{"length":1}');
    expect([readSaved(shelf), readSaved(undefined)]).toEqual([[], []]);
  });
});
