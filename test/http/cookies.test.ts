/**
 * Reading and filtering of `Cookie`: what is not the proxy's own stays byte for byte.
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  CARRIER,
  cookieNames,
  dropOwnCookies,
  readCookie,
  restoreCarriedCookies,
  SECURE_CARRIER,
  trimBlanks,
} from "../../src/http/cookies.ts";

describe("readCookie", () => {
  it.each([
    { about: "no header", header: null, values: [] },
    { about: "an empty header", header: "", values: [] },
    { about: "another cookie only", header: "a=1", values: [] },
    { about: "one among others", header: "a=1; proxy_host=https://a.test; b=2", values: ["https://a.test"] },
    { about: "two, in order", header: "proxy_host=x; a=1; proxy_host=y", values: ["x", "y"] },
    { about: "an empty value", header: "proxy_host=", values: [""] },
    { about: "a value with =", header: "proxy_host=a=b==", values: ["a=b=="] },
    { about: "a quoted value", header: 'proxy_host="https://a.test"', values: ["https://a.test"] },
    { about: "an empty quoted value", header: 'proxy_host=""', values: [""] },
    { about: "a single quote mark", header: 'proxy_host="', values: ['"'] },
    { about: "an opening quote only", header: 'proxy_host="x', values: ['"x'] },
    { about: "quotes inside", header: 'proxy_host=x"y"', values: ['x"y"'] },
    {
      about: "blanks around name and value",
      header: "a=1;\tproxy_host = x \t; b=2",
      values: ["x"],
    },
    { about: "no space between cookies", header: "a=1;proxy_host=x;b=2", values: ["x"] },
    {
      about: "percent-encoding, which stays",
      header: "proxy_host=https%3A%2F%2Fa",
      values: ["https%3A%2F%2Fa"],
    },
    { about: "a name in another case", header: "Proxy_Host=x", values: [] },
    { about: "a longer name", header: "proxy_host2=x; xproxy_host=y", values: [] },
    { about: "a prefixed name", header: "__Host-proxy_host=x", values: [] },
    { about: "the name as a value", header: "a=proxy_host=x", values: [] },
    { about: "the name after a nameless =", header: "=proxy_host=x", values: [] },
    { about: "the name without =, which is a value", header: "proxy_host", values: [] },
    { about: "a quoted separator, which separates", header: 'a="1; proxy_host=x"', values: ['x"'] },
    { about: "a name with a byte before it", header: "\u00a0proxy_host=x", values: [] },
  ])("$about: $header", ({ header, values }) => {
    expect(readCookie(header, "proxy_host")).toEqual(values);
  });

  it("finds nameless cookies by no name at all", () => {
    expect(readCookie("a=1; =x; y", "")).toEqual(["x"]);
  });
});

describe("dropOwnCookies", () => {
  it.each([
    { about: "the only one", header: "proxy_host=x", kept: "" },
    { about: "all of them", header: "proxy_host=x; proxy_token=y", kept: "" },
    { about: "all, with separators left over", header: "; proxy_host=x;; ", kept: "" },
    { about: "the first", header: "proxy_host=x; a=1; b=2", kept: "a=1; b=2" },
    { about: "the middle", header: "a=1; proxy_host=x; b=2", kept: "a=1; b=2" },
    { about: "the last", header: "a=1; b=2; proxy_token=x", kept: "a=1; b=2" },
    { about: "twice there", header: "proxy_host=x; a=1; proxy_host=y", kept: "a=1" },
    { about: "without spaces", header: "a=1;proxy_host=x;b=2", kept: "a=1;b=2" },
    { about: "blanks around the name", header: "a=1;\t proxy_host\t =x; b=2", kept: "a=1; b=2" },
    { about: "no value", header: "proxy_host; a=1", kept: "a=1" },
    { about: "__Host-", header: "__Host-proxy_host=x; a=1", kept: "a=1" },
    { about: "__Secure-", header: "__Secure-proxy_token=x; a=1", kept: "a=1" },
    { about: "__Http-", header: "__Http-proxy_token=x; __Host-Http-proxy_host=y; a=1", kept: "a=1" },
    { about: "carried", header: `${CARRIER}__Host-proxy_host=x; a=1`, kept: "a=1" },
    { about: "carried over https", header: `${SECURE_CARRIER}__Host-proxy_host=x; a=1`, kept: "a=1" },
    {
      about: "odd neighbours kept as they are",
      header: '  =x;proxy_host=h;  a = "1 ,\\2" ; ;b;a=1==; \u00c3\u00a0=\u00a0',
      kept: '=x;  a = "1 ,\\2" ; ;b;a=1==; \u00c3\u00a0=\u00a0',
    },
  ])("drops $about: $header", ({ header, kept }) => {
    expect(dropOwnCookies(header)).toBe(kept);
  });

  it.each([
    { about: "empty", header: "" },
    { about: "ordinary", header: "a=1; b=2" },
    { about: "odd spacing and separators", header: " ;a=1;;  b = 2 ; " },
    { about: "another case", header: "Proxy_Host=x; PROXY_TOKEN=y" },
    { about: "a longer name", header: "proxy_host2=x; my_proxy_host=y; proxy_hos=z" },
    { about: "a target's own proxy_ cookie", header: "proxy_session=x" },
    { about: "the name as a value", header: "a=proxy_host=x; =proxy_host=y" },
    { about: "a cookie carried for the target", header: `${CARRIER}__Host-sid=x` },
    { about: "an unknown prefix", header: "__Other-proxy_host=x" },
  ])("keeps all bytes, $about: $header", ({ header }) => {
    expect(dropOwnCookies(header)).toBe(header);
  });
});

describe("cookieNames", () => {
  it.each([
    { about: "no header", header: null, names: [] },
    { about: "nothing in it", header: " ; ", names: [] },
    { about: "order and repeats", header: "b=1; a=2; b=3", names: ["b", "a", "b"] },
    { about: "the proxy's own", header: "proxy_host=x; a=1; __Host-proxy_token=y", names: ["a"] },
    { about: "nameless", header: "=x; y; a=1", names: ["", "", "a"] },
    { about: "blanks", header: "\ta\t=1;b =2", names: ["a", "b"] },
    { about: "carried, as stored", header: `${CARRIER}__Host-sid=x`, names: [`${CARRIER}__Host-sid`] },
    { about: "a name that ends in U+00A0", header: "\u00c3\u00a0=1", names: ["\u00c3\u00a0"] },
  ])("$about: $header", ({ header, names }) => {
    expect(cookieNames(header)).toEqual(names);
  });
});

describe("restoreCarriedCookies", () => {
  it.each([
    { about: "the only one", header: `${CARRIER}__Host-sid=x`, restored: "__Host-sid=x" },
    { about: "the case of the name", header: `${CARRIER}__hOsT-Sid=x`, restored: "__hOsT-Sid=x" },
    {
      about: "several",
      header: `a=1; ${CARRIER}__Host-x=1;${CARRIER}__Secure-y=2`,
      restored: "a=1; __Host-x=1;__Secure-y=2",
    },
    { about: "blanks", header: `a=1;\t ${CARRIER}__Host-x =1 ; b`, restored: "a=1;\t __Host-x =1 ; b" },
    {
      about: "one layer only",
      header: `${CARRIER}__Host-${CARRIER}__Host-x=1`,
      restored: `__Host-${CARRIER}__Host-x=1`,
    },
  ])("gives back $about: $header", ({ header, restored }) => {
    expect(restoreCarriedCookies(header)).toBe(restored);
  });

  it.each([
    { about: "empty", header: "" },
    { about: "ordinary", header: "a=1; __Host-b=2" },
    { about: "the carrier alone", header: `${CARRIER}=x` },
    { about: "the carrier without a prefix", header: `${CARRIER}sid=x; ${CARRIER}_sid=y` },
    { about: "the carrier in a value", header: `a=${CARRIER}__Host-x=1; =${CARRIER}__Host-y=1` },
    { about: "the carrier inside a name", header: `a${CARRIER}__Host-x=1` },
    { about: "a nameless cookie", header: `${CARRIER}__Host-x; a=1` },
    { about: "another case", header: `${CARRIER.toUpperCase()}__Host-x=1` },
  ])("keeps all bytes, $about: $header", ({ header }) => {
    expect(restoreCarriedCookies(header)).toBe(header);
  });
});

describe("restoreCarriedCookies over https", () => {
  it.each([
    { about: "a carried name", header: `${SECURE_CARRIER}__Host-x=1; b=2`, restored: "__Host-x=1; b=2" },
    { about: "blanks", header: `a=1;\t ${SECURE_CARRIER}__Host-x =1`, restored: "a=1;\t __Host-x =1" },
    {
      about: "not what plain http carries",
      header: `${CARRIER}__Host-x=1`,
      restored: `${CARRIER}__Host-x=1`,
    },
    {
      about: "no other case",
      header: `__secure-${CARRIER}__Host-x=1`,
      restored: `__secure-${CARRIER}__Host-x=1`,
    },
  ])("gives back $about: $header", ({ header, restored }) => {
    expect(restoreCarriedCookies(header, true)).toBe(restored);
  });

  it("is not done for callers on plain http", () => {
    expect(restoreCarriedCookies(`${SECURE_CARRIER}__Host-x=1`)).toBe(`${SECURE_CARRIER}__Host-x=1`);
  });
});

describe("trimBlanks", () => {
  it.each([
    { text: "", trimmed: "" },
    { text: " \t ", trimmed: "" },
    { text: "\t a b\t", trimmed: "a b" },
    { text: "\u00a0a\u00a0", trimmed: "\u00a0a\u00a0" },
    { text: "\u000ba\f", trimmed: "\u000ba\f" },
  ])("$text", ({ text, trimmed }) => {
    expect(trimBlanks(text)).toBe(trimmed);
  });
});

it.each([
  { about: "blanks", header: `proxy_host=x;a=1${" ".repeat(60_000)}x` },
  { about: "separators", header: `proxy_host=x;a=1${";".repeat(60_000)}x` },
  { about: "carriers", header: `proxy_host=x;${`${CARRIER}__`.repeat(4000)}x` },
])("takes time in line with the length: $about", ({ header }) => {
  const start = performance.now();
  restoreCarriedCookies(dropOwnCookies(header));
  cookieNames(header);
  expect(performance.now() - start).toBeLessThan(500);
});
