/** Each fault of an address, by its name. */
import { describe, expect, it } from "vitest";
import { decodeAddress, decodeBase } from "../../../src/core/address/address.ts";
import { findAddressFault, findBaseFault } from "../../../src/core/address/fault.ts";
import { grouped, words } from "../../support/rows.ts";

/** Faults of both kinds of address. */
const BOTH = grouped(["fault", "text"], [
  ["is empty", [""]],
  ["has a space at its start or end", [" https://a.test", "https://a.test\n"]],
  ["has a control character", [
    ...["https://a.test/\r\nx: y", "https://a.test/\u007f", "ht\ntp://a.test/", "https://a\t.test"],
    "https://a.test/\u0000",
  ]],
  [
    "has no scheme",
    words`localhost:3000 localhost:3000/v1 api.example.com api.example.com:8080 127.0.0.1:3000 [::1]:3000
      //a.test /v1 user:secret@a.test https%3A%2F%2Fa.test`,
  ],
  ["has the scheme ftp", ["ftp://a.test"]],
  ["has the scheme wss", ["WSS://a.test"]],
  ["has the scheme file", ["file:///etc/passwd"]],
  ["has the scheme javascript", ["javascript:alert(1)"]],
  ["has the scheme data", ["data:text/plain,x"]],
  ["has another scheme", [`${"x".repeat(21)}://a.test`]],
  ["has no // after its scheme", ["https:/a.test", "https:a.test", "https:\\\\a.test"]],
  ["has no host", ["https://", "https:///a.test", "https://:80", "http://\\a.test"]],
  [
    "has an empty part in its host",
    ["https://a.test..", "https://.a.test", "https://a.test%2E%2E/x", "http://a.test\uff0e\uff0e/x"],
  ],
  ["has a space in its host", ["https://a .test"]],
  ["has a malformed host", [
    "https://a%zz.test",
    "https://a%2Fb.test",
    "https://\ud800.test",
    "http://256.0.0.1",
  ]],
  ["has a zone in its IPv6 address", ["http://[fe80::1%25eth0]:80"]],
  ["has an IPv6 address without brackets", ["https://[::1", "http://::1/x", "http://2001:db8::1"]],
  ["has a port that is not a number", ["https://a.test:x", "http://localhost:-1"]],
  ["has a port above 65535", ["https://a.test:65536", "https://[::1]:99999/x"]],
]);

const BASE_ONLY = grouped(["fault", "text"], [
  ["has a space at its start or end", ["https://a.test ", "https://a.test/\u00a0"]],
  ["has credentials", ["https://user:pass@a.test", "https://user@a.test", "https://@a.test"]],
  ["has a query", ["https://a.test?x=1", "https://a.test/v1?", "https://a.test/v1?x=1#y"]],
  ["has a fragment", ["https://a.test#", "https://a.test/#x?y"]],
  ["has a backslash", ["https://a.test\\evil", "https://a.test/\\evil.test"]],
  ["has a space in its path", ["https://a.test/a b"]],
  ["has a comma in its host", ["https://a.test,https://b.test", "https://a,b"]],
]);

describe("findBaseFault", () => {
  it.each([...BOTH, ...BASE_ONLY])("$text $fault", ({ text, fault }) => {
    expect([decodeBase(text), decodeBase(text)], "and remembered").toEqual([undefined, undefined]);
    expect(findBaseFault(text)).toBe(fault);
  });

  it("tells that there is a fault where it has no name for it", () =>
    expect(findBaseFault("https://a.test/v1")).toBe("is malformed"));
});

describe("findAddressFault", () => {
  it.each([
    ...BOTH,
    { text: "https://user:pass@", fault: "has no host" },
    { text: "https://user:pass@a.test:65536/", fault: "has a port above 65535" },
  ])("$text $fault", ({ text, fault }) => {
    expect(decodeAddress(text)).toBeUndefined();
    expect(findAddressFault(text)).toBe(fault);
  });

  it("tells that there is a fault where it has no name for it", () =>
    expect(findAddressFault("https://a.test/v1?x#y")).toBe("is malformed"));
});
