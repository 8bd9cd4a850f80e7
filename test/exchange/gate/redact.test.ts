import { expect, it } from "vitest";
import { redactFields } from "../../../src/exchange/gate/redact.ts";
import { Fields } from "../../../src/http/fields.ts";

it("writes the names of keys in place of them, plain and percent-encoded", () => {
  const fields = new Fields([["location", "/x?a=k%2F1&b=k/1"], ["set-cookie", "a=1"], ["x-b", "k/1k/1"]]);
  expect([...redactFields(fields, new Map([["K", "k/1"], ["EMPTY", ""]]))]).toEqual([
    ["location", "/x?a={{K}}&b={{K}}"],
    ["set-cookie", "a=1"],
    ["x-b", "{{K}}{{K}}"],
  ]);
});
