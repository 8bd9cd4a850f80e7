import { expect, it } from "vitest";
import { MEMBERS } from "../../src/parts/gate/targets/members.ts";
import { formatTableSchema } from "../../scripts/settings/schema.ts";

it("describes each member of an entry, and allows no other", () => {
  const { additionalProperties: entry, properties } = JSON.parse(formatTableSchema());
  expect(Object.keys(entry.properties)).toEqual(Object.keys(MEMBERS));
  expect(entry.additionalProperties).toBe(false);
  expect(properties).toHaveProperty("$schema");
});
