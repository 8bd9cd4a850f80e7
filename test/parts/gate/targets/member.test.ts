import { expect, it } from "vitest";
import { badPart, MemberFault } from "../../../../src/parts/gate/targets/member.ts";

it("says which part is bad", () =>
  expect(badPart("set.host", "a name")).toEqual(new MemberFault("has a bad set.host, expected a name")));
