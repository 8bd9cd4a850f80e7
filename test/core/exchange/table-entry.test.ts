import { expect, it } from "vitest";
import { listKeyFields } from "../../../src/core/exchange/table-entry.ts";
import { tableOf } from "../../support/table.ts";

it("lists the fields that it replaces with a key", () => {
  const set = {
    "X-Api-Key": "{{KEY}}",
    "authorization": "Bearer {{OTHER}}",
    "x-plain": "1",
    "?key": "{{KEY}}",
  };
  expect(listKeyFields(tableOf({ "a.test": { set } }).entries[0]!)).toEqual(["x-api-key", "authorization"]);
  const sign = { aws: { region: "r", service: "s3", key: "AKID", secret: "{{KEY}}" } };
  expect(listKeyFields(tableOf({ "a.test": { sign } }).entries[0]!))
    .toEqual(["authorization", "x-amz-security-token"]);
});
