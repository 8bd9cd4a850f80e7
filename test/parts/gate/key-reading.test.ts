/**
 * One pass over a text finds each spelling of a key, and where it stands. More spellings: `key-search.test.ts`.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Reading } from "../../../src/parts/gate/key-reading.ts";
import { growTree, listSpellings } from "../../../src/parts/gate/spellings.ts";
import { rowsOf } from "../../support/rows.ts";

const TREE = growTree(
  [["ONE", "first-key"], ["TWO", "second"], ["ODD", "/third"]].flatMap(([name, key]) =>
    listSpellings(key!).map((spelling) => [name!, spelling] as const)
  ),
);

describe("a reading", () => {
  it.each(rowsOf(["text", "spans"], [
    ["nothing", []],
    ["a first-key b", [{ start: 2, end: 11, name: "ONE" }]],
    ["SECOND%66irst-key", [{ start: 0, end: 6, name: "TWO" }, { start: 6, end: 17, name: "ONE" }]],
    ["%2566irst-key", [{ start: 0, end: 13, name: "ONE" }]],
    ["a\\/third", [{ start: 1, end: 8, name: "ODD" }]],
    ["a\\\\\\/third", [{ start: 1, end: 10, name: "ODD" }]],
    ["first-ke", []],
  ]))("finds what $text spells", ({ text, spans }) => {
    expect(new Reading(text, TREE).findSpans(false)).toEqual(spans);
  });

  it.each([{ text: "x first-k", spans: [{ start: 2, end: 9, name: "ONE" }] }, { text: "x fir", spans: [] }])(
    "takes the beginning of a key at the end of $text for it, if the text was cut there",
    ({ text, spans }) => expect(new Reading(text, TREE).findSpans(true)).toEqual(spans),
  );
});
