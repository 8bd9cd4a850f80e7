/** Every member of an entry is described, in the order in which members are named in messages. */
import { describe, expect, it } from "vitest";
import { MEMBER_DOCS } from "../../scripts/settings/member-docs.ts";
import { MEMBERS } from "../../src/parts/gate/targets/members.ts";

describe("docs of members", () => {
  it("are those of all members, in their order", () =>
    expect(Object.keys(MEMBER_DOCS)).toEqual(Object.keys(MEMBERS)));

  it.each(Object.entries(MEMBER_DOCS).map(([name, doc]) => ({ name, ...doc })))(
    "say what $name does, and give the schema of its value",
    ({ effect, schema }) => {
      expect(effect).toMatch(/^[A-Z`].*\.$/);
      expect(schema).toSatisfy((found: object) => ["type", "enum", "oneOf"].some((key) => key in found));
    },
  );
});
