/** Which parts a usual proxy has, in which order, and what settings leave out. */
import { expect, it } from "vitest";
import { createProxy } from "../../src/core/index.ts";
import { readOptions } from "../../src/core/settings/config.ts";
import { createProxy as createUsual } from "../../src/index.ts";
import { makeUsual } from "../../src/parts/usual.ts";
import { ask, dealRequest, OF_CORE, OF_PARTS, Tally } from "../support/dealt.ts";
import { Dice } from "../support/dice.ts";
import { hostOf } from "../support/part.ts";
import { rowsOf, words } from "../support/rows.ts";

it.each(rowsOf(["options", "names"], [
  [{}, "headers explain console capture"],
  [{ metrics: true }, "headers explain metrics console capture"],
  [{ addressForms: ["git" as const] }, "forms headers explain console capture"],
  [{ signingKey: "k" }, "headers links tokens explain console capture"],
  [{ gate: "report" as const, audit: () => {} }, "headers audit report explain console capture"],
  [{ console: false }, "headers explain"],
]))("are $names with $options", ({ options, names }) => {
  const config = readOptions(options);
  expect(makeUsual(config, hostOf(config)).map(({ name }) => name)).toEqual(words(names));
  const lent = makeUsual(config, hostOf(config, { parts: [{ name: "lent" }] }));
  expect(lent.map(({ name }) => name)).toEqual([...words(names), "lent"]);
});

it("lets nothing through that the core alone refuses, whatever the options", async () => {
  const dice = new Dice(44);
  const tally = new Tally();
  for (let round = 0; round < 300; round += 1) {
    const dealt = dealRequest(dice, { ...OF_CORE, ...OF_PARTS });
    const ofCore = Object.entries(dealt.options).filter(([name]) => name in OF_CORE);
    const alone = ask(createProxy(Object.fromEntries(ofCore)), dealt);
    await tally.compare(dealt, alone, ask(createUsual(dealt.options), dealt), false);
  }
  expect(Object.values(tally.told).filter((count) => count < 10)).toEqual([]);
});
