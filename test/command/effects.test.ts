/** Every setting is described, in the order of the table. */
import { describe, expect, it } from "vitest";
import { EFFECTS } from "../../src/command/effects.ts";
import { SETTINGS } from "../../src/core/settings/settings.ts";

describe("effects", () => {
  it("are those of all settings, in their order", () =>
    expect(Object.keys(EFFECTS)).toEqual(Object.keys(SETTINGS)));

  it("are in five groups", () => {
    const groups = new Set(Object.values(EFFECTS).map(({ kind: [group] }) => group));
    expect([...groups].toSorted()).toEqual(["access", "limits", "listen", "output", "targets"]);
  });

  it.each(Object.entries(EFFECTS).map(([name, about]) => ({ name, ...about })))(
    "say what $name does, in sentences, and its unit",
    ({ kind: [, unit], effect, risk = "None." }) => {
      expect(unit).toMatch(/^\S/);
      expect(effect).toMatch(/^[A-Z`].*\.$/);
      expect(risk).toMatch(/^\S.*\.$/);
    },
  );
});
