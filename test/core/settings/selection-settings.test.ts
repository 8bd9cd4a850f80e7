/** The settings by which callers name targets. */
import { describe, expect, it } from "vitest";
import { type Options, readConfig, readOptions } from "../../../src/core/settings/config.ts";
import { SELECTION_SETTINGS } from "../../../src/core/settings/selection-settings.ts";

it("stand in the table of all settings", () =>
  expect(Object.keys(readOptions({}))).toEqual(expect.arrayContaining(Object.keys(SELECTION_SETTINGS))));

describe("TARGETS", () => {
  it.each<{ value: Options["targets"]; read: unknown }>([
    { value: "targets.json", read: "targets.json" },
    { value: '{"a.test":{}}', read: '{"a.test":{}}' },
    { value: { "a.test": { methods: ["GET"] } }, read: { "a.test": { methods: ["GET"] } } },
    { value: undefined, read: undefined },
  ])("$value is read", ({ value, read }) => expect(readOptions({ targets: value }).targets).toEqual(read));

  it.each([{ value: "" }, { value: " " }, { value: 5 }, { value: ["a.json"] }, { value: true }])(
    "$value is refused",
    ({ value }) => {
      expect(() => readOptions({ targets: value as string })).toThrow(/^targets is .*, expected a JSON file/);
    },
  );

  it("is not set where the variable is empty", () =>
    expect(readConfig({ TARGETS: "" }).targets).toBeUndefined());
});
