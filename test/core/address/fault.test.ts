/** Each fault of an address, by its name. */
import { describe, expect, it } from "vitest";
import { decodeAddress, decodeBase } from "../../../src/core/address/address.ts";
import { findAddressFault, findBaseFault } from "../../../src/core/address/fault.ts";

/** Faults of both kinds of address. */
const BOTH = [
  { text: "", fault: "is empty" },
  { text: " https://a.test", fault: "has a space at its start or end" },
  { text: "https://a.test/\r\nx: y", fault: "has a control character" },
  { text: "https://a.test/\u007f", fault: "has a control character" },
  { text: "ht\ntp://a.test/", fault: "has a control character" },
  { text: "localhost:3000", fault: "has no scheme" },
  { text: "localhost:3000/v1", fault: "has no scheme" },
  { text: "api.example.com", fault: "has no scheme" },
  { text: "api.example.com:8080", fault: "has no scheme" },
  { text: "127.0.0.1:3000", fault: "has no scheme" },
  { text: "[::1]:3000", fault: "has no scheme" },
  { text: "//a.test", fault: "has no scheme" },
  { text: "/v1", fault: "has no scheme" },
  { text: "user:secret@a.test", fault: "has no scheme" },
  { text: "https%3A%2F%2Fa.test", fault: "has no scheme" },
  { text: "ftp://a.test", fault: "has the scheme ftp" },
  { text: "WSS://a.test", fault: "has the scheme wss" },
  { text: "file:///etc/passwd", fault: "has the scheme file" },
  { text: "javascript:alert(1)", fault: "has the scheme javascript" },
  { text: "data:text/plain,x", fault: "has the scheme data" },
  { text: `${"x".repeat(21)}://a.test`, fault: "has another scheme" },
  { text: "https:/a.test", fault: "has no // after its scheme" },
  { text: "https:a.test", fault: "has no // after its scheme" },
  { text: "https:\\\\a.test", fault: "has no // after its scheme" },
  { text: "https://", fault: "has no host" },
  { text: "https:///a.test", fault: "has no host" },
  { text: "https://:80", fault: "has no host" },
  { text: "http://\\a.test", fault: "has no host" },
  { text: "https://a.test..", fault: "has an empty part in its host" },
  { text: "https://.a.test", fault: "has an empty part in its host" },
  { text: "https://a.test%2E%2E/x", fault: "has an empty part in its host" },
  { text: "https://a .test", fault: "has a space in its host" },
  { text: "https://a%zz.test", fault: "has a malformed host" },
  { text: "http://[fe80::1%25eth0]:80", fault: "has a zone in its IPv6 address" },
  { text: "https://[::1", fault: "has an IPv6 address without brackets" },
  { text: "http://256.0.0.1", fault: "has a malformed host" },
  { text: "http://::1/x", fault: "has an IPv6 address without brackets" },
  { text: "http://2001:db8::1", fault: "has an IPv6 address without brackets" },
  { text: "https://a.test:x", fault: "has a port that is not a number" },
  { text: "http://localhost:-1", fault: "has a port that is not a number" },
  { text: "https://a.test:65536", fault: "has a port above 65535" },
  { text: "https://[::1]:99999/x", fault: "has a port above 65535" },
];

const BASE_ONLY = [
  { text: "https://user:pass@a.test", fault: "has credentials" },
  { text: "https://@a.test", fault: "has credentials" },
  { text: "https://a.test?x=1", fault: "has a query" },
  { text: "https://a.test/v1?", fault: "has a query" },
  { text: "https://a.test/v1?x=1#y", fault: "has a query" },
  { text: "https://a.test#", fault: "has a fragment" },
  { text: "https://a.test/#x?y", fault: "has a fragment" },
  { text: "https://a.test\\evil", fault: "has a backslash" },
  { text: "https://a.test/\\evil.test", fault: "has a backslash" },
  { text: "https://a.test/a b", fault: "has a space in its path" },
  { text: "https://a.test,https://b.test", fault: "has a comma in its host" },
  { text: "https://a,b", fault: "has a comma in its host" },
];

describe("findBaseFault", () => {
  it.each([...BOTH, ...BASE_ONLY])("$text $fault", ({ text, fault }) => {
    expect(decodeBase(text)).toBeUndefined();
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
