import { expect, it } from "vitest";
import { diffLines } from "../../../src/console/inspector/changes.ts";
import { typedRows } from "../../support/rows.ts";

const SIGNS = { same: " ", removed: "-", added: "+" };
const numbers = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index).join("\n");

type Row = { what: string; before: string; after: string; lines: string | undefined };
it.each(typedRows<Row, readonly ["what", "before", "after", "lines"]>(
  ["what", "before", "after", "lines"],
  [
    ["the same text", "a\nb", "a\nb", " a, b"],
    ["nothing and a line", "", "a", "-,+a"],
    ["a line that is gone", "a\nb\nc", "a\nc", " a,-b, c"],
    ["a line that came", "a\nc", "a\nb\nc", " a,+b, c"],
    ["a repeated line", "a\na\nb", "a\nb", " a,-a, b"],
    ["the fewest lines", "a\nb\nc\nd", "b\nd\ne", "-a, b,-c, d,+e"],
    ["what is removed before what is added", "x\na\ny", "x\nb\ny", " x,-a,+b, y"],
    ["too many lines that differ", numbers(0, 2_001), numbers(5_000, 2_000), undefined],
  ],
))("diffLines $what", ({ before, after, lines }) => {
  expect(diffLines(before, after)?.map(({ state, text }) => SIGNS[state] + text).join()).toEqual(lines);
});

it("diffLines takes any number of lines that are the same", () => {
  const same = numbers(0, 10_000);
  const lines = diffLines(`${same}\na\n${same}`, `${same}\nb\n${same}`);
  expect(lines?.filter(({ state }) => state !== "same").map(({ text }) => text)).toEqual(["a", "b"]);
});
