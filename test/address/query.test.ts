/**
 * Parameters read from a query as it was sent, and the two spellings of `url=`.
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  decodeParameter,
  isRawAddress,
  readAddressParameter,
  readParameter,
  readQuery,
} from "../../src/address/query.ts";

describe("readQuery", () => {
  it.each([
    { path: "/", query: "" },
    { path: "/a?", query: "" },
    { path: "/a?b=c&d", query: "b=c&d" },
    { path: "/a?b?c=?", query: "b?c=?" },
    { path: "?x", query: "x" },
    { path: "/%3Fa", query: "" },
  ])("of $path is $query", ({ path, query }) => {
    expect(readQuery(path)).toBe(query);
  });
});

describe("readParameter", () => {
  it.each([
    { query: "", name: "a", value: undefined },
    { query: "a", name: "a", value: "" },
    { query: "a=", name: "a", value: "" },
    { query: "a=b", name: "a", value: "b" },
    { query: "a=b=c==", name: "a", value: "b=c==" },
    { query: "a=%41+%zz é", name: "a", value: "%41+%zz é" },
    { query: "x=1&a=2", name: "a", value: "2" },
    { query: "a=1&a=2", name: "a", value: "1" },
    { query: "&&a=1&", name: "a", value: "1" },
    { query: "aa=1&ba=2", name: "a", value: undefined },
    { query: "A=1", name: "a", value: undefined },
    { query: "=1", name: "a", value: undefined },
    { query: "x=a=1", name: "a", value: undefined },
    { query: "__proto__=1", name: "__proto__", value: "1" },
    { query: "x=1", name: "toString", value: undefined },
    { query: "a=/x?y&b=2", name: "b", value: "2" },
    { query: "url=http://a.test/p&host=h", name: "host", value: "h" },
    { query: "url=http://a.test/p?x=1&host=h", name: "host", value: undefined },
    { query: "url=http://a.test/p?x=1&url=y", name: "url", value: "http://a.test/p?x=1&url=y" },
    { query: "url=wss://a.test/p?x=1&host=h", name: "host", value: undefined },
    { query: "host=h&url=http://a.test/p?x=1", name: "host", value: "h" },
    { query: "token=t&url=HTTPS://a.test/?x&y", name: "url", value: "HTTPS://a.test/?x&y" },
    { query: "url=http%3A%2F%2Fa.test%2F?x&host=h", name: "host", value: "h" },
    { query: "other=http://a.test/?x&host=h", name: "host", value: "h" },
    { query: "url=ftp://a.test/?x&host=h", name: "host", value: "h" },
  ])("$name in $query is $value", ({ query, name, value }) => {
    expect(readParameter(query, name)).toBe(value);
  });

  it.each([
    { query: "to=http://a.test/p?x=1&y=2", value: "http://a.test/p?x=1&y=2" },
    { query: "url=http://a.test/p?x=1&to=2", value: "2" },
    { query: "to=1&url=2", value: "1" },
  ])("to in $query is $value, where it may hold the address", ({ query, value }) => {
    expect(readParameter(query, "to", "to")).toBe(value);
  });
});

describe("isRawAddress", () => {
  it.each([
    { value: "https://a.test", is: true },
    { value: "WS://a.test", is: true },
    { value: "https%3A%2F%2Fa.test", is: false },
    { value: "https:/a.test", is: false },
    { value: "ftp://a.test", is: false },
    { value: " https://a.test", is: false },
  ])("of $value is $is", ({ value, is }) => {
    expect(isRawAddress(value)).toBe(is);
  });
});

describe("decodeParameter", () => {
  it.each([
    { value: "", decoded: "" },
    { value: "a%20b+c", decoded: "a b+c" },
    { value: "%252F", decoded: "%2F" },
    { value: "%C3%A9", decoded: "é" },
    { value: "%00%0D%0A", decoded: "\0\r\n" },
    { value: "%", decoded: undefined },
    { value: "%4", decoded: undefined },
    { value: "%zz", decoded: undefined },
    { value: "%C3", decoded: undefined },
    { value: "%FF", decoded: undefined },
    { value: "%ED%A0%80", decoded: undefined },
  ])("of $value is $decoded", ({ value, decoded }) => {
    expect(decodeParameter(value)).toBe(decoded);
  });
});

describe("readAddressParameter", () => {
  it.each([
    { about: "none", query: "host=h", address: undefined },
    { about: "no query", query: "", address: undefined },
    { about: "empty", query: "url=", address: "" },
    { about: "without =", query: "url", address: "" },
    {
      about: "encoded",
      query: "url=http%3A%2F%2Fa.test%2Fp%3Fx%3D1%26y%3D2",
      address: "http://a.test/p?x=1&y=2",
    },
    { about: "encoded once", query: "url=http%3A%2F%2Fa.test%2F%252F", address: "http://a.test/%2F" },
    { about: "encoded, with +", query: "url=http%3A%2F%2Fa.test%2F?a+b", address: "http://a.test/?a+b" },
    {
      about: "encoded, parameters behind it",
      query: "url=http%3A%2F%2Fa.test%2F&x=1",
      address: "http://a.test/",
    },
    { about: "partly encoded", query: "url=http:%2F%2Fa.test/p?x&y", address: "http://a.test/p?x" },
    { about: "malformed", query: "url=http%3A%2F%2Fa.test%2F%", address: null },
    { about: "no UTF-8", query: "url=http%3A%2F%2Fa.test%2F%FF", address: null },
    { about: "raw, never decoded", query: "url=http://a.test/%2F%zz%", address: "http://a.test/%2F%zz%" },
    { about: "raw up to &", query: "url=http://a.test/p&x=1", address: "http://a.test/p" },
    {
      about: "raw with a query",
      query: "url=http://a.test/p?x=%26&y=2",
      address: "http://a.test/p?x=%26&y=2",
    },
    { about: "raw, empty query", query: "url=https://a.test/p?", address: "https://a.test/p?" },
    { about: "raw with a late ?", query: "url=http://a.test/p&x=1?y&z", address: "http://a.test/p" },
    { about: "raw, other case", query: "url=HTTPS://A.test/%41", address: "HTTPS://A.test/%41" },
    { about: "two", query: "url=http://a.test/&url=http://b.test/", address: "http://a.test/" },
  ])("$about: $query", ({ query, address }) => {
    expect(readAddressParameter(query)).toBe(address);
  });
});
