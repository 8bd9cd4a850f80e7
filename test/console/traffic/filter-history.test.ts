/** The last filters. @module */
import { expect, it } from "vitest";
import { filterBefore, forgetFilters } from "../../../src/console/traffic/saved-filters.ts";
import { recentFilters, rememberFilter } from "../../../src/console/traffic/saved-filters.ts";
import { words } from "../../support/rows.ts";

const remember = (...filters: string[]) => {
  forgetFilters();
  for (const filter of filters) rememberFilter(filter);
};

it.each([
  { used: [], expected: [] },
  { used: ["4xx", " 5xx ", "4xx"], expected: ["4xx", "5xx"] },
  { used: ["", " ", "s", "st"], expected: ["st"] },
  { used: [..."abcdefghijkl"].map((one) => one.repeat(2)), expected: words("ll kk jj ii hh gg ff ee dd cc") },
])("of $used the last are $expected", ({ used, expected }) => {
  remember(...used);
  expect(recentFilters()).toEqual(expected);
});

it.each([
  { filter: "", expected: "new" },
  { filter: "new", expected: "old" },
  { filter: "old", expected: undefined },
  { filter: "typed", expected: undefined },
])("before $filter comes $expected", ({ filter, expected }) => {
  remember("old", "new");
  expect(filterBefore(filter)).toBe(expected);
});

it("are forgotten", () => {
  remember("old");
  forgetFilters();
  expect([recentFilters(), filterBefore("")]).toEqual([[], undefined]);
});
