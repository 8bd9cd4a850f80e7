/** The type of the options of `createProxy`, and the table of settings that it is made of. */
import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { exampleOf, formatOptions, listTypes } from "../../../scripts/settings/options.ts";
import { isOption, type Options, readOptions, type SettingName } from "../../../src/core/settings/config.ts";
import { EFFECTS } from "../../../src/command/effects.ts";
import { readValue } from "../../../src/core/settings/option-values.ts";
import type { Setting } from "../../../src/core/settings/setting.ts";
import { SETTINGS } from "../../../src/core/settings/settings.ts";
import { rowsOf } from "../../support/rows.ts";

const WRITTEN = readFileSync(new URL("../../../src/core/settings/options.ts", import.meta.url), "utf8");

const ROWS = Object.entries(SETTINGS).filter(([name]) => isOption(name)).map(([name, setting]) => ({
  name,
  setting: setting as Setting<unknown>,
}));
const EXAMPLES = ROWS.map(({ name, setting }) => ({ name, example: exampleOf(setting) }))
  .filter(({ example }) => example !== undefined);

/** A value of each type that an option can be, and whether the readers of a setting take some value of it. */
const KINDS = rowsOf(["type", "reads"], [
  ["boolean", (setting: Setting<unknown>) => readValue(setting, true) === true],
  [
    "number",
    (setting: Setting<unknown>) => [1, 2 ** 20].some((value) => readValue(setting, value) === value),
  ],
  ["readonly string[]", (setting: Setting<unknown>) => setting.parseEntries !== undefined],
  ["Readonly<Record<string, string>>", (setting: Setting<unknown>) => setting.parsePairs !== undefined],
]);

const LITERALS = ROWS.flatMap(({ name, setting }) => {
  const texts = listTypes(name, setting).filter((type) => type.startsWith('"'));
  return texts.map((text) => ({ name, setting, text: JSON.parse(text) as string }));
});

/** What compiles is read, too. */
const GOOD: { options: Options }[] = [
  { options: { metrics: true } },
  { options: { metrics: "true" } },
  { options: { metrics: undefined } },
  { options: { maxRedirects: 0 } },
  { options: { timeoutMs: "8080" } },
  { options: { gate: "report" } },
  { options: { via: "a" } },
  { options: { target: "https://a.test" } },
  { options: { rateLimit: "100/60s" } },
  { options: { allowTargets: "a.test,b.test" } },
  { options: { allowTargets: ["a.test", "b.test"] } },
  { options: { privateTargets: false } },
  { options: { privateTargets: "auto" } },
  { options: { privateTargets: "auto,a.test" } },
  { options: { privateTargets: ["auto", "a.test"] } },
  { options: { proxyLabels: "a=https://a.test" } },
  { options: { proxyLabels: ["a=https://a.test"] } },
  { options: { proxyLabels: { a: "https://a.test" } } },
];

describe("the type of options", () => {
  it("is the one that the table makes", () => expect(WRITTEN).toBe(formatOptions()));

  it("has the names of the table and no others", () => {
    expectTypeOf<keyof Options>().toExtend<SettingName>();
    expect(WRITTEN.match(/(?<=^ {2}readonly )\w+/gm)).toEqual(Object.keys(SETTINGS).filter(isOption));
  });

  it("tells flags, numbers, words, lists and objects apart", () => {
    expectTypeOf<Options["metrics"]>().toEqualTypeOf<boolean | "true" | "false" | undefined>();
    expectTypeOf<Options["timeoutMs"]>().toEqualTypeOf<number | `${number}` | undefined>();
    expectTypeOf<Options["gate"]>().toEqualTypeOf<"enforce" | "report" | undefined>();
    expectTypeOf<Options["via"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Options["hosts"]>().toEqualTypeOf<string | readonly string[] | undefined>();
    expectTypeOf<Readonly<Record<string, string>>>().toExtend<Options["proxyLabels"]>();
    expectTypeOf<Readonly<Record<string, string>>>().not.toExtend<Options["hosts"]>();
  });

  it.each(GOOD)("takes $options", ({ options }) => expect(() => readOptions(options)).not.toThrow());
});

describe.each(ROWS)("the type of $name", ({ name, setting }) => {
  it.each(KINDS)("is $type where that is read", ({ type, reads }) => {
    expect(listTypes(name, setting).includes(type)).toBe(reads(setting));
  });
});

describe("the docs of options", () => {
  it.each(EXAMPLES)("have an example that is read: $name", ({ name, example }) => {
    expect(() => readOptions({ [name]: example })).not.toThrow();
  });

  it.each(LITERALS)("name words that are read: $name $text", ({ setting, text }) => {
    expect(readValue(setting, text)).toBeDefined();
  });

  it.each(ROWS)("say unit, expected value and default of $name", ({ name, setting }) => {
    const [doc = ""] = WRITTEN.split(`  readonly ${name}?:`)[0]?.split("/**").slice(-1) ?? [];
    const text = doc.replace(/\n +\* ?/g, " ");
    expect(text).toContain(`Unit: ${EFFECTS[name as SettingName].kind[1]}. Expected: ${setting.expected}.`);
    expect(text).toContain("@default ");
    expect(text).toContain(EFFECTS[name as SettingName].risk ? "**Risk:** " : "");
  });
});
