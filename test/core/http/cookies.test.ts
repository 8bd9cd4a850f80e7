/** Reading and filtering of `Cookie`: what is not the proxy's own stays byte for byte. */
import { describe, expect, it } from "vitest";
import { CARRIER, cookieNames, dropOwnCookies, readCookie } from "../../../src/core/http/cookies.ts";
import {
  ownCookie,
  restoreCarriedCookies,
  SECURE_CARRIER,
  trimBlanks,
} from "../../../src/core/http/cookies.ts";
import { rowsOf } from "../../support/rows.ts";

describe("readCookie", () => {
  it.each(rowsOf(["about", "header", "values"], [
    ["no header", null, []],
    ["an empty header", "", []],
    ["another cookie only", "a=1", []],
    ["one among others", "a=1; proxy_host=https://a.test; b=2", ["https://a.test"]],
    ["two, in order", "proxy_host=x; a=1; proxy_host=y", ["x", "y"]],
    ["an empty value", "proxy_host=", [""]],
    ["a value with =", "proxy_host=a=b==", ["a=b=="]],
    ["a quoted value", 'proxy_host="https://a.test"', ["https://a.test"]],
    ["an empty quoted value", 'proxy_host=""', [""]],
    ["a single quote mark", 'proxy_host="', ['"']],
    ["an opening quote only", 'proxy_host="x', ['"x']],
    ["quotes inside", 'proxy_host=x"y"', ['x"y"']],
    ["blanks around name and value", "a=1;\tproxy_host = x \t; b=2", ["x"]],
    ["no space between cookies", "a=1;proxy_host=x;b=2", ["x"]],
    ["percent-encoding, which stays", "proxy_host=https%3A%2F%2Fa", ["https%3A%2F%2Fa"]],
    ["a name in another case", "Proxy_Host=x", []],
    ["a longer name", "proxy_host2=x; xproxy_host=y", []],
    ["a prefixed name", "__Host-proxy_host=x", []],
    ["the name as a value", "a=proxy_host=x", []],
    ["the name after a nameless =", "=proxy_host=x", []],
    ["the name without =, which is a value", "proxy_host", []],
    ["a quoted separator, which separates", 'a="1; proxy_host=x"', ['x"']],
    ["a name with a byte before it", "\u00a0proxy_host=x", []],
  ]))("$about: $header", ({ header, values }) => expect(readCookie(header, "proxy_host")).toEqual(values));

  it("finds nameless cookies by no name at all", () => expect(readCookie("a=1; =x; y", "")).toEqual(["x"]));
});

describe("dropOwnCookies", () => {
  it.each(rowsOf(["about", "header", "kept"], [
    ["the only one", "proxy_host=x", ""],
    ["all of them", "proxy_host=x; proxy_token=y", ""],
    ["all, with separators left over", "; proxy_host=x;; ", ""],
    ["the first", "proxy_host=x; a=1; b=2", "a=1; b=2"],
    ["the middle", "a=1; proxy_host=x; b=2", "a=1; b=2"],
    ["the last", "a=1; b=2; proxy_token=x", "a=1; b=2"],
    ["twice there", "proxy_host=x; a=1; proxy_host=y", "a=1"],
    ["without spaces", "a=1;proxy_host=x;b=2", "a=1;b=2"],
    ["blanks around the name", "a=1;\t proxy_host\t =x; b=2", "a=1; b=2"],
    ["no value", "proxy_host; a=1", "a=1"],
    ["__Host-", "__Host-proxy_host=x; a=1", "a=1"],
    ["__Secure-", "__Secure-proxy_token=x; a=1", "a=1"],
    ["__Http-", "__Http-proxy_token=x; __Host-Http-proxy_host=y; a=1", "a=1"],
    ["carried", `${CARRIER}__Host-proxy_host=x; a=1`, "a=1"],
    ["carried over https", `${SECURE_CARRIER}__Host-proxy_host=x; a=1`, "a=1"],
    [
      "odd neighbours kept as they are",
      '  =x;proxy_host=h;  a = "1 ,\\2" ; ;b;a=1==; \u00c3\u00a0=\u00a0',
      '=x;  a = "1 ,\\2" ; ;b;a=1==; \u00c3\u00a0=\u00a0',
    ],
  ]))("drops $about: $header", ({ header, kept }) => expect(dropOwnCookies(header)).toBe(kept));

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
  ])("keeps all bytes, $about: $header", ({ header }) => expect(dropOwnCookies(header)).toBe(header));
});

it.each([
  { about: "no header", header: null, names: [] },
  { about: "nothing in it", header: " ; ", names: [] },
  { about: "order and repeats", header: "b=1; a=2; b=3", names: ["b", "a", "b"] },
  { about: "the proxy's own", header: "proxy_host=x; a=1; __Host-proxy_token=y", names: ["a"] },
  { about: "nameless", header: "=x; y; a=1", names: ["", "", "a"] },
  { about: "blanks", header: "\ta\t=1;b =2", names: ["a", "b"] },
  { about: "carried, as stored", header: `${CARRIER}__Host-sid=x`, names: [`${CARRIER}__Host-sid`] },
  { about: "a name that ends in U+00A0", header: "\u00c3\u00a0=1", names: ["\u00c3\u00a0"] },
])("cookieNames: $about: $header", ({ header, names }) => expect(cookieNames(header)).toEqual(names));

describe("restoreCarriedCookies", () => {
  it.each(rowsOf(["about", "header", "restored"], [
    ["the only one", `${CARRIER}__Host-sid=x`, "__Host-sid=x"],
    ["the case of the name", `${CARRIER}__hOsT-Sid=x`, "__hOsT-Sid=x"],
    ["several", `a=1; ${CARRIER}__Host-x=1;${CARRIER}__Secure-y=2`, "a=1; __Host-x=1;__Secure-y=2"],
    ["blanks", `a=1;\t ${CARRIER}__Host-x =1 ; b`, "a=1;\t __Host-x =1 ; b"],
    ["one layer only", `${CARRIER}__Host-${CARRIER}__Host-x=1`, `__Host-${CARRIER}__Host-x=1`],
  ]))("gives back $about: $header", ({ header, restored }) => {
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
  ])("keeps all bytes, $about: $header", ({ header }) => expect(restoreCarriedCookies(header)).toBe(header));
});

describe("restoreCarriedCookies over https", () => {
  it.each(rowsOf(["about", "header", "restored"], [
    ["a carried name", `${SECURE_CARRIER}__Host-x=1; b=2`, "__Host-x=1; b=2"],
    ["blanks", `a=1;\t ${SECURE_CARRIER}__Host-x =1`, "a=1;\t __Host-x =1"],
    ["not what plain http carries", `${CARRIER}__Host-x=1`, `${CARRIER}__Host-x=1`],
    ["no other case", `__secure-${CARRIER}__Host-x=1`, `__secure-${CARRIER}__Host-x=1`],
  ]))("gives back $about: $header", ({ header, restored }) => {
    expect(restoreCarriedCookies(header, true)).toBe(restored);
  });

  it("is not done for callers on plain http", () =>
    expect(restoreCarriedCookies(`${SECURE_CARRIER}__Host-x=1`)).toBe(`${SECURE_CARRIER}__Host-x=1`));
});

it.each([
  { text: "", trimmed: "" },
  { text: " \t ", trimmed: "" },
  { text: "\t a b\t", trimmed: "a b" },
  { text: "\u00a0a\u00a0", trimmed: "\u00a0a\u00a0" },
  { text: "\u000ba\f", trimmed: "\u000ba\f" },
])("trimBlanks: $text", ({ text, trimmed }) => expect(trimBlanks(text)).toBe(trimmed));

describe("a cookie of the proxy's own", () => {
  it.each([
    {
      about: "until the browser is closed",
      line: ownCookie("a=1", "", false),
      rest: "Path=/; HttpOnly; SameSite=Lax",
    },
    {
      about: "over https",
      line: ownCookie("a=1", "/m", true),
      rest: "Path=/m; HttpOnly; SameSite=Lax; Secure",
    },
    {
      about: "dropped",
      line: ownCookie("a=1", "/", true, 0),
      rest: "Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure",
    },
  ])("is $about", ({ line, rest }) => {
    expect(line).toBe(`a=1; ${rest}`);
  });
});
