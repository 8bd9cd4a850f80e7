/** The text form of a fetch argument: every accepted spelling of Base64, and everything that is none. */
import { describe, expect, it } from "vitest";
import { decodeArg, decodeBase64, encodeArg, isObject } from "../../../src/core/address/arg.ts";
import { rowsOf } from "../../support/rows.ts";

/** Base64 of UTF-8 text, padded. */
const base64 = (text: string) => Buffer.from(text).toString("base64");
const bytes = (...values: number[]) => Buffer.from(values).toString("base64");

// `>>>???` and `ûï¾` give `+` and `/` in Base64 at all three alignments.
const VALUE = { url: "https://a.test/", a: ">>>???", b: "~>?~>?~>?", c: "ÿþýûïœ😀" };
const JSON_TEXT = JSON.stringify(VALUE);

describe("encodeArg", () => {
  it.each([
    { value: {}, arg: "e30" },
    { value: { a: 1 }, arg: "eyJhIjoxfQ" },
    { value: { a: "~~~???" }, arg: "eyJhIjoifn5-Pz8_In0" },
    { value: { a: "é😀" }, arg: "eyJhIjoiw6nwn5iAIn0" },
  ])("$arg", ({ value, arg }) => {
    expect(encodeArg(value)).toBe(arg);
    expect(decodeArg(arg)).toEqual(value);
  });

  it("needs no percent-encoding, and comes back, at every length", () => {
    const values = Array.from(
      { length: 64 },
      (_, length) => ({ text: "ÿ>?".repeat(length).slice(0, length) }),
    );
    const args = values.map(encodeArg);
    expect(args.filter((arg) => encodeURIComponent(arg) !== arg)).toEqual([]);
    expect(args.map(decodeArg)).toEqual(values);
  });

  it("encodes arguments of many chunks", () => {
    const value = { body: "x".repeat(300_000) };
    expect(decodeArg(encodeArg(value))).toEqual(value);
  });
});

describe("decodeArg", () => {
  it.each(rowsOf(["spelling", "text"], [
    ["Base64 with + as %20", base64(JSON_TEXT).replaceAll("+", "%20")],
    ["Base64 in lines", base64(JSON_TEXT).replace(/.{16}/g, "$&\n")],
    [
      "Base64 in lines that end with CRLF, and an end at last",
      `${base64(JSON_TEXT).replace(/.{9}/g, "$&\r\n")}\r\n`,
    ],
    ["Base64 in lines, percent-encoded", encodeURIComponent(base64(JSON_TEXT).replace(/.{76}/g, "$&\r\n"))],
    ["Base64 in lines with + as a space", base64(JSON_TEXT).replaceAll("+", " ").replace(/.{10}/g, "$&%0A")],
    ["JSON with blanks around it", base64(`\n ${JSON_TEXT}\t`)],
    ["JSON behind a byte order mark", base64(`\ufeff${JSON_TEXT}`)],
  ]))("reads $spelling", ({ text }) => expect(decodeArg(text)).toEqual(VALUE));

  it("looks at a long run of = once", () => expect(decodeArg(`${"=".repeat(500_000)}!`)).toBe(undefined));

  it("is tested with both characters that the two alphabets differ in", () =>
    expect(base64(JSON_TEXT)).toMatch(/\+.*\/|\/.*\+/));

  it.each([
    { text: "e30", padding: "none for one" },
    { text: "e30=", padding: "one" },
    { text: "eyAgfQ", padding: "none for two" },
    { text: "eyAgfQ==", padding: "two" },
    { text: "eyAgIH0g", padding: "none needed" },
  ])("reads $text: padding $padding", ({ text }) => expect(decodeArg(text)).toEqual({}));

  it.each([
    { reason: "empty", text: "" },
    { reason: "only padding", text: "==" },
    { reason: "a padding too many", text: "e30==" },
    { reason: "a padding where none belongs", text: "eyAgIH0g=" },
    { reason: "four paddings", text: "eyAgIH0g====" },
    { reason: "one padding where two belong", text: "eyAgfQ=" },
    { reason: "a digit too few", text: "e" },
    { reason: "foreign character", text: "e3!0" },
    { reason: "non-ASCII character", text: "e30é" },
    { reason: "full-width character", text: "ｅ30" },
    { reason: "dot", text: "e30." },
    { reason: "only line ends", text: "\r\n" },
    { reason: "line separator", text: "e30\u2028" },
    { reason: "tab, percent-encoded", text: "eyAg%09IH0g" },
    { reason: "NUL, percent-encoded", text: "e30%00" },
    { reason: "malformed percent-encoding", text: "e30%" },
    { reason: "percent-encoding that is no UTF-8", text: "e30%FF" },
    { reason: "percent-encoded twice", text: "e30%253D" },
    { reason: "the JSON itself", text: "{}" },
    { reason: "a data URL", text: "data:;base64,e30=" },
    { reason: "no UTF-8", text: bytes(0x7b, 0xff, 0x7d) },
    { reason: "a surrogate in UTF-8", text: bytes(0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d) },
    { reason: "cut UTF-8", text: bytes(0x22, 0xc3) },
    { reason: "overlong UTF-8", text: bytes(0x7b, 0xc0, 0xa0, 0x7d) },
    { reason: "UTF-16", text: Buffer.from("{}", "utf16le").toString("base64") },
    { reason: "two byte order marks", text: base64("\ufeff\ufeff{}") },
    { reason: "null", text: base64("null") },
    { reason: "true", text: base64("true") },
    { reason: "a number", text: base64("1") },
    { reason: "a string", text: base64('"{}"') },
    { reason: "an array", text: base64("[{}]") },
    { reason: "two values", text: base64("{}{}") },
    { reason: "a trailing comma", text: base64('{"url":"x",}') },
    { reason: "a comment", text: base64("{}//x") },
    { reason: "single quotes", text: base64("{'url':'x'}") },
    { reason: "cut JSON", text: base64('{"url":"x"') },
    { reason: "NaN", text: base64('{"body":NaN}') },
    { reason: "a control byte in a string", text: base64('{"url":"\n"}') },
    { reason: "blanks only", text: base64("   ") },
  ])("refuses $reason", ({ text }) => expect(decodeArg(text)).toBeUndefined());

  it("keeps __proto__ a field of the object and pollutes nothing", () => {
    const value = decodeArg(base64('{"__proto__":{"url":"http://evil.test/"},"constructor":1}'));
    expect(Object.keys(value ?? {})).toEqual(["__proto__", "constructor"]);
    expect([value?.url, ({} as Record<string, unknown>).url]).toEqual([undefined, undefined]);
  });

  it("lets the last of two equal fields win, as JSON does", () =>
    expect(decodeArg(base64('{"url":"a","url":"b"}'))).toEqual({ url: "b" }));
});

it.each([
  { text: "e30", bytes: [0x7b, 0x7d] },
  { text: "_--A", bytes: [0xff, 0xef, 0x80] },
  { text: "%2F%2B%2BA", bytes: [0xff, 0xef, 0x80] },
  { text: "/  A", bytes: [0xff, 0xef, 0x80] },
  { text: "", bytes: [] },
  { text: "e", bytes: undefined },
  { text: "e30%", bytes: undefined },
  { text: "{}", bytes: undefined },
])("decodeBase64 of $text gives the bytes, whatever they are", ({ text, bytes }) => {
  const found = decodeBase64(text);
  expect(found && [...found]).toEqual(bytes);
});

it.each([
  { value: {}, is: true },
  { value: { a: 1 }, is: true },
  { value: Object.create(null), is: true },
  { value: [], is: false },
  { value: null, is: false },
  { value: undefined, is: false },
  { value: "x", is: false },
  { value: 1, is: false },
  { value: true, is: false },
])("isObject: $value: $is", ({ value, is }) => expect(isObject(value)).toBe(is));
