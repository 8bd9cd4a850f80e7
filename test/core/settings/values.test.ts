/** The texts of settings and what they stand for. */
import { describe, expect, it } from "vitest";
import { parseAudit, parseBoolean, parseDomain } from "../../../src/core/settings/values.ts";
import { parseInteger, parseRateLimit } from "../../../src/core/settings/values.ts";
import { grouped, words } from "../../support/rows.ts";

describe("parseRateLimit", () => {
  it.each([
    { text: "100/60s", value: { requests: 100, seconds: 60 } },
    { text: "100/60", value: { requests: 100, seconds: 60 } },
    { text: "5/2m", value: { requests: 5, seconds: 120 } },
    { text: "1/1h", value: { requests: 1, seconds: 3_600 } },
    { text: "999999999/1s", value: { requests: 999_999_999, seconds: 1 } },
    { text: "1/596h", value: { requests: 1, seconds: 2_145_600 } },
    { text: "1/2145600s", value: { requests: 1, seconds: 2_145_600 } },
  ])("reads $text", ({ text, value }) => expect(parseRateLimit(text)).toEqual(value));

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
  ])("refuses $text", ({ text }) => expect(parseRateLimit(text)).toBeUndefined());
});

it.each(grouped(["value", "text"], [
  [0, ["0"]],
  [10, ["10"]],
  [7, ["007"]],
  [undefined, ["11", "-1", "+1", "1.0", "1e1", "0x1", "", " 1", "٣", "1".repeat(16)]],
]))(
  "parseInteger: $text of 0 to 10: $value",
  ({ text, value }) => expect(parseInteger(text, 0, 10)).toBe(value),
);

it.each([
  { text: "true", value: true },
  { text: "TRUE", value: true },
  { text: "1", value: true },
  { text: "false", value: false },
  { text: "0", value: false },
  { text: "yes", value: undefined },
  { text: "", value: undefined },
])("parseBoolean: $text: $value", ({ text, value }) => expect(parseBoolean(text)).toBe(value));

it.each(grouped(["value", "text"], [
  ["localhost", ["localhost"]],
  ["proxy.example.com", ["Proxy.Example.com."]],
  ["a-b.c1", ["a-b.c1"]],
  ["xn--bcher-kva.test", ["Bücher.test", "xn--bcher-kva.test"]],
  ["1.a", ["1.a"]],
  [undefined, [
    ...words(`127.0.0.1 127.1 0x7f.1 7 a@b.c a/b . a..b -a.b a_b.c a.b:80 http://a.b`),
    "a b",
    "",
    `${"a".repeat(64)}.b`,
    `${"a.".repeat(127)}a`,
  ]],
]))("parseDomain: $text: $value", ({ text, value }) => expect(parseDomain(text)).toBe(value));

describe("parseAudit", () => {
  it.each([
    { text: "stderr", value: { to: "stderr", isLoose: false } },
    { text: "a.jsonl,loose", value: { to: "a.jsonl", isLoose: true } },
    { text: "stderr , Loose", value: { to: "stderr", isLoose: true } },
    { text: "a,b", value: { to: "a,b", isLoose: false } },
  ])("reads $text", ({ text, value }) => expect(parseAudit(text)).toEqual(value));

  it.each(["", ",loose", "a\nb", "a\0b"])("refuses %j", (text) => expect(parseAudit(text)).toBeUndefined());
});
