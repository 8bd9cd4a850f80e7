import { expect, it } from "vitest";
import { isTexts } from "../../../src/core/settings/request-lists.ts";

it.each([[["a"], true], [["a", "b"], true], [[], false], [["a", 1], false], ["a", false], [null, false]])(
  "knows that %j is a list of texts: %s",
  (value, is) => expect(isTexts(value)).toBe(is),
);
