/** The rows of the list: what is held, and where the keyboard goes. @module */
import { describe, expect, it } from "vitest";
import { ListModel, visibleRange } from "../../../src/console/traffic/list-model.ts";
import type { Row } from "../../../src/console/traffic/store.ts";
import { entryOf } from "./entries.ts";
import { words } from "../../support/rows.ts";

const rowsOf = (...keys: string[]): Row[] =>
  keys.map((key) => ({ key, entry: entryOf({ key }), text: "", isShown: true }));

/** A list of ten rows, with the keyboard on one. */
function listAt(current: string | undefined): ListModel {
  const model = new ListModel();
  model.update(rowsOf(..."abcdefghij"), false);
  model.current = current;
  return model;
}

describe("the list", () => {
  it("holds its rows, and counts those that would have come", () => {
    const model = new ListModel();
    model.update(rowsOf("b", "a"), false);
    model.update(rowsOf("d", "c", "b", "a"), true);
    expect([model.rows.map(({ key }) => key), model.fresh]).toEqual([["b", "a"], 2]);
    model.update(rowsOf("e", "d", "c", "b"), true);
    expect([model.rows.length, model.fresh]).toEqual([2, 3]);
    model.update(rowsOf("e", "d", "c", "b"), false);
    expect([model.rows.length, model.fresh]).toEqual([4, 0]);
  });

  it("takes its first rows, held or not", () => {
    const model = new ListModel();
    model.update(rowsOf("a"), true);
    expect(model.rows).toHaveLength(1);
  });

  it.each([
    { key: "ArrowDown", from: undefined, to: "a" },
    { key: "ArrowDown", from: "a", to: "b" },
    { key: "ArrowDown", from: "j", to: "j" },
    { key: "ArrowUp", from: undefined, to: "a" },
    { key: "ArrowUp", from: "c", to: "b" },
    { key: "ArrowUp", from: "a", to: "a" },
    { key: "PageDown", from: "b", to: "f" },
    { key: "PageDown", from: undefined, to: "e" },
    { key: "PageDown", from: "i", to: "j" },
    { key: "PageUp", from: "f", to: "b" },
    { key: "PageUp", from: "b", to: "a" },
    { key: "Home", from: "f", to: "a" },
    { key: "End", from: "f", to: "j" },
    { key: "ArrowDown", from: "gone", to: "a" },
  ])("$key leads from $from to $to", ({ key, from, to }) => {
    const model = listAt(from);
    expect(model.move(key, 4)?.key).toBe(to);
    expect(model.current).toBe(to);
  });

  it.each(words`x Tab constructor`)("%s leads nowhere", (key) => {
    const model = listAt("b");
    expect(model.move(key, 4)).toBeUndefined();
    expect(model.current).toBe("b");
  });

  it("without rows leads nowhere", () => expect(new ListModel().move("ArrowDown", 4)).toBeUndefined());
});

it.each([
  { scrolled: 0, count: 5_000, expected: [0, 14] },
  { scrolled: 320, count: 5_000, expected: [6, 24] },
  { scrolled: 159_680, count: 5_000, expected: [4_986, 5_000] },
  { scrolled: 500_000, count: 10, expected: [10, 10] },
  { scrolled: 0, count: 0, expected: [0, 0] },
])("visibleRange draws $expected of $count rows at $scrolled", ({ scrolled, count, expected }) => {
  expect(visibleRange(scrolled, 320, 32, count)).toEqual(expected);
});
