import { expect, it } from "vitest";
import { isTexts, parseMethods } from "../../../src/core/settings/request-lists.ts";

it.each([[["a"], true], [["a", "b"], true], [[], false], [["a", 1], false], ["a", false], [null, false]])(
  "knows that %j is a list of texts: %s",
  (value, is) => expect(isTexts(value)).toBe(is),
);

it.each([
  { methods: ["GET", "PROPFIND", "patch", "M-SEARCH"], isTaken: true },
  { methods: ["get"], isTaken: false },
  { methods: ["POST", "Delete"], isTaken: false },
])("takes $methods for methods: $isTaken", ({ methods, isTaken }) => {
  expect(parseMethods(methods)).toBe(isTaken ? methods : undefined);
});
