/** Which parts a usual proxy has, in which order, and what settings leave out. */
import { expect, it } from "vitest";
import { readOptions } from "../../src/core/settings/config.ts";
import { makeUsual } from "../../src/parts/usual.ts";
import { hostOf } from "../support/part.ts";
import { words } from "../support/rows.ts";

it.each([
  { options: {}, names: "headers explain console capture" },
  { options: { metrics: true }, names: "headers explain metrics console capture" },
  { options: { addressForms: ["git" as const] }, names: "forms headers explain console capture" },
  { options: { signingKey: "k" }, names: "headers links tokens explain console capture" },
  {
    options: { gate: "report" as const, audit: () => {} },
    names: "headers audit report explain console capture",
  },
  { options: { console: false }, names: "headers explain" },
])("are $names with $options", ({ options, names }) => {
  const config = readOptions(options);
  expect(makeUsual(config, hostOf(config)).map(({ name }) => name)).toEqual(words(names));
  const lent = makeUsual(config, hostOf(config, { parts: [{ name: "lent" }] }));
  expect(lent.map(({ name }) => name)).toEqual([...words(names), "lent"]);
});
