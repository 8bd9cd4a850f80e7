/** The span of time that is chosen on the line of bars. @module */
import { expect, it } from "vitest";
import { pathOfSpan, tellSpan } from "../../../src/console/traffic/brush.ts";
import { layColumns } from "../../../src/console/traffic/pulse.ts";

const SECOND = new Date(2026, 10, 28, 15, 4, 10).getTime() / 1_000;

it("is a term of the filter, with the whole of its last column", () =>
  expect([tellSpan([SECOND, SECOND]), tellSpan([SECOND, SECOND + 18])])
    .toEqual(["15:04:10-15:04:12", "15:04:10-15:04:30"]));

it("is drawn behind its columns", () => {
  const columns = layColumns(new Map(), SECOND * 1_000);
  expect(pathOfSpan(columns, ({ startSecond }) => startSecond >= SECOND - 2))
    .toBe("M580 0h10v80h-10zM590 0h10v80h-10z");
  expect(pathOfSpan(columns, () => false)).toBe("");
});
