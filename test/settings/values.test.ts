/**
 * The texts of settings and what they stand for.
 * @module
 */
import { describe, expect, it } from "vitest";
import { parseBoolean, parseDomain, parseInteger, parseRateLimit } from "../../src/settings/values.ts";

describe("parseRateLimit", () => {
  it.each([
    { text: "100/60s", value: { requests: 100, seconds: 60 } },
    { text: "100/60", value: { requests: 100, seconds: 60 } },
    { text: "5/2m", value: { requests: 5, seconds: 120 } },
    { text: "1/1h", value: { requests: 1, seconds: 3_600 } },
    { text: "999999999/1s", value: { requests: 999_999_999, seconds: 1 } },
    { text: "1/596h", value: { requests: 1, seconds: 2_145_600 } },
    { text: "1/2145600s", value: { requests: 1, seconds: 2_145_600 } },
  ])("reads $text", ({ text, value }) => {
    expect(parseRateLimit(text)).toEqual(value);
  });

  it.each([
    { text: "" },
    { text: "100" },
    { text: "100/" },
    { text: "/60s" },
    { text: "0/60s" },
    { text: "100/0s" },
    { text: "-1/60s" },
    { text: "1.5/60s" },
    { text: "100/60d" },
    { text: "100/60S" },
    { text: "100 / 60s" },
    { text: "100/60s " },
    { text: "100/60s/1" },
    { text: "1e3/60s" },
    // Longer than any timer; the limit would never hold.
    { text: "1/597h" },
    { text: "1/999999h" },
  ])("refuses $text", ({ text }) => {
    expect(parseRateLimit(text)).toBeUndefined();
  });
});

describe("parseInteger", () => {
  it.each([
    { text: "0", value: 0 },
    { text: "10", value: 10 },
    { text: "007", value: 7 },
    { text: "11", value: undefined },
    { text: "-1", value: undefined },
    { text: "+1", value: undefined },
    { text: "1.0", value: undefined },
    { text: "1e1", value: undefined },
    { text: "0x1", value: undefined },
    { text: "", value: undefined },
    { text: " 1", value: undefined },
    { text: "٣", value: undefined },
    { text: "1".repeat(16), value: undefined },
  ])("$text of 0 to 10: $value", ({ text, value }) => {
    expect(parseInteger(text, 0, 10)).toBe(value);
  });
});

describe("parseBoolean", () => {
  it.each([
    { text: "true", value: true },
    { text: "TRUE", value: true },
    { text: "1", value: true },
    { text: "false", value: false },
    { text: "0", value: false },
    { text: "yes", value: undefined },
    { text: "", value: undefined },
  ])("$text: $value", ({ text, value }) => {
    expect(parseBoolean(text)).toBe(value);
  });
});

describe("parseDomain", () => {
  it.each([
    { text: "localhost", value: "localhost" },
    { text: "Proxy.Example.com.", value: "proxy.example.com" },
    { text: "a-b.c1", value: "a-b.c1" },
    { text: "Bücher.test", value: "xn--bcher-kva.test" },
    { text: "xn--bcher-kva.test", value: "xn--bcher-kva.test" },
    { text: "1.a", value: "1.a" },
    { text: "127.0.0.1", value: undefined },
    { text: "127.1", value: undefined },
    { text: "0x7f.1", value: undefined },
    { text: "7", value: undefined },
    { text: "a@b.c", value: undefined },
    { text: "a/b", value: undefined },
    { text: "a b", value: undefined },
    { text: "", value: undefined },
    { text: ".", value: undefined },
    { text: "a..b", value: undefined },
    { text: "-a.b", value: undefined },
    { text: "a_b.c", value: undefined },
    { text: "a.b:80", value: undefined },
    { text: "http://a.b", value: undefined },
    { text: `${"a".repeat(64)}.b`, value: undefined },
    { text: `${"a.".repeat(127)}a`, value: undefined },
  ])("$text: $value", ({ text, value }) => {
    expect(parseDomain(text)).toBe(value);
  });
});
