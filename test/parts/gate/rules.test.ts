import { describe, expect, it } from "vitest";
import { checkRules } from "../../../src/parts/gate/rules.ts";
import { decodeAddress } from "../../../src/core/address/address.ts";
import { tableOf } from "../../support/table.ts";

describe("rules", () => {
  const entry = tableOf({ "a.test": { methods: ["GET"], paths: ["/v1/"] } }).entries[0];
  const check = (method: string, path: string) => () =>
    checkRules(entry, method, decodeAddress(`https://a.test${path}`)!);

  it("let through what they name", () => {
    expect(check("GET", "/v1/x")).not.toThrow();
    expect(() => checkRules(undefined, "X", decodeAddress("https://b.test/")!)).not.toThrow();
  });

  it("refuse other methods, in any case but theirs, and other paths", () => {
    expect(check("get", "/v1/x")).toThrow("method get is not allowed for a.test");
    expect(check("GET", "/v2/")).toThrow("this path is not allowed for a.test");
  });
});
