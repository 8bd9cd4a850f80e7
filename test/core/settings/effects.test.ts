/** Every setting is described, in the order of the table. */
import { describe, expect, it } from "vitest";
import { EFFECTS } from "../../../src/core/settings/effects.ts";
import { SETTINGS } from "../../../src/core/settings/settings.ts";

describe("effects", () => {
  it("are those of all settings, in their order", () =>
    expect(Object.keys(EFFECTS)).toEqual(Object.keys(SETTINGS)));

  it.each(Object.entries(EFFECTS).map(([name, about]) => ({ name, ...about })))(
    "say what $name does, in sentences",
    ({ effect, risk = "None." }) => {
      expect(effect).toMatch(/^[A-Z`].*\.$/);
      expect(risk).toMatch(/^\S.*\.$/);
    },
  );
});
