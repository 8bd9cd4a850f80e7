import { expect, it } from "vitest";
import { badPart, isTexts, MemberFault } from "../../../../src/parts/gate/targets/member.ts";

it("says which part is bad", () =>
  expect(badPart("set.host", "a name")).toEqual(new MemberFault("has a bad set.host, expected a name")));

it.each([[["a"], true], [["a", "b"], true], [[], false], [["a", 1], false], ["a", false], [null, false]])(
  "knows that %j is a list of texts: %s",
  (value, is) => expect(isTexts(value)).toBe(is),
);
