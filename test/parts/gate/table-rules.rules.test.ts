import { describe, expect, it } from "vitest";
import { checkRules } from "../../../src/parts/gate/table-rules.ts";
import { decodeAddress } from "../../../src/core/address/address.ts";
import { tableOf } from "../../support/table.ts";

describe("rules", () => {
  const entry = tableOf({ "a.test": { methods: ["GET"], paths: ["/v1/"] } }).entries[0]!;
  const check = (method: string, path: string) => () =>
    checkRules(entry, method, decodeAddress(`https://a.test${path}`)!, () => false);

  it("let through what they name", () => expect(check("GET", "/v1/x")).not.toThrow());

  it("refuse other methods, in any case but theirs, and other paths", () => {
    expect(check("get", "/v1/x")).toThrow("method get is not allowed for a.test");
    expect(check("GET", "/v2/")).toThrow("this path is not allowed for a.test");
  });

  const { find } = tableOf({
    "a.test": { requests: ["GET https =/v1/a", "GET https /v2/", "PUT https =/v1/b", "GET wss =/"] },
    "*": { requests: [] },
  });
  const ask = (method: string, text: string, isSocket = false) => () => {
    const address = decodeAddress(text)!;
    checkRules(find(address.origin)!, method, address, () => isSocket);
  };

  it.each([
    { method: "GET", text: "https://a.test/v1/a?q" },
    { method: "GET", text: "https://a.test/v2/x/y" },
    { method: "PUT", text: "https://a.test/v1/b" },
    { method: "GET", text: "https://a.test/", isSocket: true },
  ])("let through the requests that they name: $method $text", ({ method, text, isSocket }) => {
    expect(ask(method, text, isSocket)).not.toThrow();
  });

  it.each([
    { method: "PUT", text: "https://a.test/v1/a" },
    { method: "GET", text: "https://a.test/v1/b" },
    { method: "GET", text: "https://a.test/v1/a/b" },
    { method: "GET", text: "http://a.test/v1/a" },
    { method: "GET", text: "https://a.test/v1/a", isSocket: true },
    { method: "GET", text: "http://a.test/", isSocket: true },
    { method: "GET", text: "https://a.test/" },
    { method: "GET", text: "https://b.test/v1/a" },
    { method: "GET", text: "https://[::1]/v1/a" },
    { method: "get", text: "https://a.test/v2/" },
  ])("refuse all other requests: $method $text", ({ method, text, isSocket }) => {
    expect(ask(method, text, isSocket)).toThrow("of this path is not allowed for");
  });
});
