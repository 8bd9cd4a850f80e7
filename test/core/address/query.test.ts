/** Parameters read from a query as it was sent, and the two spellings of `url=`. */
import { describe, expect, it } from "vitest";
import {
  isRawAddress,
  readAddressParameter,
  readParameter,
  readQuery,
} from "../../../src/core/address/query.ts";
import { grouped, rowsOf } from "../../support/rows.ts";

it.each([
  { path: "/", query: "" },
  { path: "/a?", query: "" },
  { path: "/a?b=c&d", query: "b=c&d" },
  { path: "/a?b?c=?", query: "b?c=?" },
  { path: "?x", query: "x" },
  { path: "/%3Fa", query: "" },
])("readQuery of $path is $query", ({ path, query }) => expect(readQuery(path)).toBe(query));

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
  ])("$name in $query is $value", ({ query, name, value }) => expect(readParameter(query, name)).toBe(value));

  it.each([
    { query: "to=http://a.test/p?x=1&y=2", value: "http://a.test/p?x=1&y=2" },
    { query: "url=http://a.test/p?x=1&to=2", value: "2" },
    { query: "to=1&url=2", value: "1" },
  ])("to in $query is $value, where it may hold the address", ({ query, value }) => {
    expect(readParameter(query, "to", "to")).toBe(value);
  });
});

it.each(grouped(["is", "value"], [
  [true, ["https://a.test", "WS://a.test"]],
  [false, ["https%3A%2F%2Fa.test", "https:/a.test", "ftp://a.test", " https://a.test"]],
]))("isRawAddress of $value is $is", ({ value, is }) => expect(isRawAddress(value)).toBe(is));

it.each(rowsOf(["about", "query", "address"], [
  ["none", "host=h", undefined],
  ["no query", "", undefined],
  ["empty", "url=", ""],
  ["without =", "url", ""],
  ["encoded", "url=http%3A%2F%2Fa.test%2Fp%3Fx%3D1%26y%3D2", "http://a.test/p?x=1&y=2"],
  ["encoded once", "url=http%3A%2F%2Fa.test%2F%252F", "http://a.test/%2F"],
  ["encoded, with +", "url=http%3A%2F%2Fa.test%2F?a+b", "http://a.test/?a+b"],
  ["encoded, parameters behind it", "url=http%3A%2F%2Fa.test%2F&x=1", "http://a.test/"],
  ["partly encoded", "url=http:%2F%2Fa.test/p?x&y", "http://a.test/p?x"],
  ["malformed", "url=http%3A%2F%2Fa.test%2F%", null],
  ["no UTF-8", "url=http%3A%2F%2Fa.test%2F%FF", null],
  ["raw, never decoded", "url=http://a.test/%2F%zz%", "http://a.test/%2F%zz%"],
  ["raw up to &", "url=http://a.test/p&x=1", "http://a.test/p"],
  ["raw with a query", "url=http://a.test/p?x=%26&y=2", "http://a.test/p?x=%26&y=2"],
  ["raw, empty query", "url=https://a.test/p?", "https://a.test/p?"],
  ["raw with a late ?", "url=http://a.test/p&x=1?y&z", "http://a.test/p"],
  ["raw, other case", "url=HTTPS://A.test/%41", "HTTPS://A.test/%41"],
  ["two", "url=http://a.test/&url=http://b.test/", "http://a.test/"],
]))(
  "readAddressParameter: $about: $query",
  ({ query, address }) => expect(readAddressParameter(query)).toBe(address),
);
