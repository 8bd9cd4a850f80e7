/** The keys of the page. @module */
import { expect, it } from "vitest";
import { isKey, KEYS } from "../../../src/console/page/page-keys.ts";
import { typedRows } from "../../support/rows.ts";

const press = (key: string, held: object = {}) =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, ...held }) as KeyboardEvent;

interface Pressed {
  name: keyof typeof KEYS;
  event: KeyboardEvent;
  expected: boolean;
}

it.each(typedRows<Pressed>(["name", "event", "expected"], [
  ["palette", press("k", { ctrlKey: true }), true],
  ["palette", press("K", { metaKey: true }), true],
  ["palette", press("k"), false],
  ["palette", press("k", { ctrlKey: true, altKey: true }), false],
  ["filter", press("/"), true],
  ["filter", press("/", { ctrlKey: true }), false],
  ["help", press("?", { shiftKey: true }), true],
  ["leave", press("Escape"), true],
]))("$name is $expected for $event", ({ name, event, expected }) => {
  expect(isKey(event, name)).toBe(expected);
});

it("has each key once in a place", () => {
  const keys = Object.values(KEYS).map(({ where, key }) => `${where} ${key}`);
  expect(new Set(keys).size).toBe(keys.length);
});
