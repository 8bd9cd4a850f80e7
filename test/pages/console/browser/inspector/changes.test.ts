import { describe, expect, it } from "vitest";
import { compareFields, countChanges } from "../../../../../src/pages/console/browser/inspector/changes.ts";
import type { FieldLine } from "../../../../../src/exchange/capture/capture.ts";

describe("compareFields", () => {
  it.each<{ what: string; before: FieldLine[]; after: FieldLine[]; rows: unknown[]; count: string }>([
    { what: "nothing", before: [], after: [], rows: [], count: "nothing changed" },
    {
      what: "case and order",
      before: [["A", "1"], ["B", "2"]],
      after: [["b", "2"], ["a", "1"]],
      rows: [["a", "same", "1", "1"], ["b", "same", "2", "2"]],
      count: "nothing changed",
    },
    {
      what: "a change",
      before: [["Host", "a"]],
      after: [["host", "b"]],
      rows: [["host", "changed", "a", "b"]],
      count: "1 changed",
    },
    {
      what: "equal values are paired before others",
      before: [["a", "1"], ["a", "2"], ["a", "3"]],
      after: [["a", "3"], ["a", "4"]],
      rows: [["a", "changed", "1", "4"], ["a", "removed", "2", undefined], ["a", "same", "3", "3"]],
      count: "1 changed, 1 removed",
    },
    {
      what: "what is added stands last",
      before: [["te", "x"], ["a", "1"]],
      after: [["via", "1"], ["a", "1"], ["a", "1"]],
      rows: [["te", "removed", "x", undefined], ["a", "same", "1", "1"], ["via", "added", undefined, "1"], [
        "a",
        "added",
        undefined,
        "1",
      ]],
      count: "1 removed, 2 added",
    },
  ])("$what", ({ before, after, rows, count }) => {
    const changes = compareFields(before, after);
    expect(changes.map(({ name, state, ...lines }) => [name, state, lines.before?.[1], lines.after?.[1]]))
      .toEqual(rows);
    expect(countChanges(changes)).toBe(count);
  });
});
