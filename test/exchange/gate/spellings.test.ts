import { expect, it } from "vitest";
import { patternOf, patternOfStart } from "../../../src/exchange/gate/spellings.ts";

const KEY = "sk/a b+c$&é%7";

it.each([
  KEY,
  encodeURIComponent(KEY),
  encodeURIComponent(KEY).toLowerCase(),
  encodeURIComponent(encodeURIComponent(KEY)),
  encodeURIComponent(encodeURIComponent(encodeURIComponent(KEY))),
  new URLSearchParams([["", KEY]]).toString().slice(1),
  encodeURIComponent(KEY).replaceAll("%20", "+").replace("%2F", "/"),
  KEY.replace("/", "\\/"),
  KEY.replace("&", "\\u0026"),
  KEY.toUpperCase().replace("É", "é"),
  Buffer.from(KEY, "utf8").toString("latin1"),
  [...Buffer.from(KEY, "latin1")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
])("finds the key as %s", (text) => {
  expect(`a=${text}&b`.replace(patternOf(KEY), "!")).toBe("a=!&b");
});

it.each(["", "x", "xy", "xyz"])("finds the Base64 of the key after %j", (before) => {
  const text = Buffer.from(`${before}${KEY}end`, "latin1");
  for (const encoded of [text.toString("base64"), text.toString("base64url")]) {
    const left = encoded.replace(patternOf(KEY), "!");
    expect(left).toContain("!");
    expect(left.length).toBeLessThan(13);
  }
});

it("leaves other text alone", () => {
  const pattern = patternOf("secret-key");
  for (const text of ["secret", "secret_kez", "secret-ke", "a".repeat(10_000)]) {
    expect(text.replace(pattern, "!")).toBe(text);
  }
});

it("takes no long time for a text that nearly matches", () => {
  const pattern = patternOf("%%%%\\\\\\\\secret");
  const begin = performance.now();
  "%2525252525".repeat(6_000).replace(pattern, "!");
  expect(performance.now() - begin).toBeLessThan(1_000);
});

it.each([
  { text: "x sk/a", left: "x !" },
  { text: "x sk%2Fa%20b", left: "x !" },
  { text: `x ${KEY}`, left: "x !" },
  { text: "x sk/", left: "x sk/" },
  { text: "x sk/a y", left: "x sk/a y" },
  { text: `x ${btoa("sk/a b+c").slice(0, 8)}`, left: "x !" },
])("finds where the key was cut: $text", ({ text, left }) => {
  expect(text.replace(patternOfStart(KEY), "!")).toBe(left);
});
