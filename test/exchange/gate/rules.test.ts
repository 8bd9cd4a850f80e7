import { describe, expect, it } from "vitest";
import { checkRules, isBelow } from "../../../src/exchange/gate/rules.ts";
import { decodeAddress } from "../../../src/address/address.ts";
import { tableOf } from "../../support/table.ts";

describe("paths", () => {
  it.each(["/v1/", "/v1/x", "/v1/x?y=/../..", "/v1/a/../b", "/v1/./a", "/v1/%2e/a", "/v1/a%2fb", "/v1//a"])(
    "has %s below /v1/",
    (path) => expect(isBelow(["/v1/"], path)).toBe(true),
  );

  it.each([
    "/v1",
    "/v12/",
    "/",
    "/v1/../x",
    "/v1/..",
    "/v1/%2e%2e/x",
    "/v1/.%2E/x",
    "/v1/..%2fx",
    "/v1/%2e%2e%2fx",
    "/v1/..%5cx",
    "/v1/..;/x",
    "/v1/..;a=b/x",
    "/v1//../../x",
    "/V1/x",
    "//v1/x",
    "/x/../v2/v1/",
  ])("has %s not below /v1/", (path) => expect(isBelow(["/v1/"], path)).toBe(false));

  it("takes a prefix without a slash for that path and what is below it", () => {
    expect(["/a", "/a/b", "/ab", "/a?x"].map((path) => isBelow(["/a"], path))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

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
