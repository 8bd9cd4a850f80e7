/** The settings that say which targets may be reached. */
import { describe, expect, it } from "vitest";
import { ACCESS_SETTINGS } from "../../../src/core/settings/access-settings.ts";
import { type Options, readOptions } from "../../../src/core/settings/config.ts";

it("stand in the table of all settings", () =>
  expect(Object.keys(readOptions({}))).toEqual(expect.arrayContaining(Object.keys(ACCESS_SETTINGS))));

describe("PRIVATE_TARGETS in code", () => {
  it.each<{ value: Options["privateTargets"]; read: unknown }>([
    { value: true, read: true },
    { value: "auto", read: "auto" },
    { value: ["auto"], read: "auto" },
    { value: ["AUTO", " a.test "], read: [{ kind: "name", host: "a.test" }] },
    { value: "auto,a.test:81", read: [{ kind: "name", host: "a.test", port: 81 }] },
  ])("$value is read", ({ value, read }) => {
    expect(readOptions({ privateTargets: value }).privateTargets).toEqual(read);
  });

  it.each<{ value: Options["privateTargets"] }>([
    { value: [] },
    { value: ["a.test"] },
    { value: ["auto", "*"] },
    { value: ["auto", ""] },
    { value: "auto,,a" },
  ])(
    "$value is refused",
    ({ value }) =>
      expect(() => readOptions({ privateTargets: value })).toThrow(/^privateTargets is .*, expected true/),
  );
});
