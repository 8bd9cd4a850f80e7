import { expect, it } from "vitest";
import { compareFields, countChanges } from "../../../src/console/inspector/changes.ts";
import type { FieldLine } from "../../../src/parts/capture/capture.ts";
import { typedRows } from "../../support/rows.ts";

type Row = { what: string; before: FieldLine[]; after: FieldLine[]; rows: string[]; count: string };
it.each(typedRows<Row, readonly ["what", "count", "before", "after", "rows"]>(
  ["what", "count", "before", "after", "rows"],
  [
    ["nothing", "nothing changed", [], [], []],
    [
      "case and order",
      "nothing changed",
      [["A", "1"], ["B", "2"]],
      [["b", "2"], ["a", "1"]],
      ["a same 1 1", "b same 2 2"],
    ],
    ["a change", "1 changed", [["Host", "a"]], [["host", "b"]], ["host changed a b"]],
    [
      "equal values are paired before others",
      "1 changed, 1 removed",
      [["a", "1"], ["a", "2"], ["a", "3"]],
      [["a", "3"], ["a", "4"]],
      ["a changed 1 4", "a removed 2 -", "a same 3 3"],
    ],
    [
      "what is added stands last",
      "1 removed, 2 added",
      [["te", "x"], ["a", "1"]],
      [["via", "1"], ["a", "1"], ["a", "1"]],
      ["te removed x -", "a same 1 1", "via added - 1", "a added - 1"],
    ],
  ],
))("compareFields $what", ({ before, after, rows, count }) => {
  const changes = compareFields(before, after);
  const told = changes.map(({ name, state, ...lines }) =>
    [name, state, lines.before?.[1] ?? "-", lines.after?.[1] ?? "-"].join(" ")
  );
  expect(told).toEqual(rows);
  expect(countChanges(changes)).toBe(count);
});
