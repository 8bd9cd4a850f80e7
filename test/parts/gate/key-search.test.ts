import { describe, expect, it } from "vitest";
import { KeySearch } from "../../../src/parts/gate/key-search.ts";
import { HOSTILE, measureGrowth, repeat } from "../../support/growth.ts";
import { rowsOf, words } from "../../support/rows.ts";

const KEY = "sk/a b+c$&é%7";

/** The text without a key of the name `!`. */
function clean(text: string, key = KEY, isCut = false): string {
  return new KeySearch(new Map([["!", key]])).clean(text, isCut).replaceAll("{{!}}", "!");
}

/** Each character in the same spelling. */
function spell(key: string, write: (code: string, character: string) => string): string {
  return [...Buffer.from(key, "latin1")]
    .map((byte) => write(byte.toString(16).padStart(2, "0"), String.fromCharCode(byte))).join("");
}

const SPELLED = [
  KEY,
  encodeURIComponent(KEY),
  encodeURIComponent(KEY).toLowerCase(),
  encodeURIComponent(encodeURIComponent(KEY)),
  encodeURIComponent(encodeURIComponent(encodeURIComponent(KEY))),
  new URLSearchParams([["", KEY]]).toString().slice(1),
  encodeURIComponent(KEY).replaceAll("%20", "+").replace("%2F", "/"),
  KEY.replace("/", "\\/"),
  KEY.replace("&", "\\u0026"),
  KEY.replace("&", "\\\\\\u0026"),
  encodeURIComponent(KEY.replace("/", "\\/")),
  encodeURIComponent(KEY.replace("/", "\\u002f")),
  KEY.toUpperCase().replace("É", "é"),
  Buffer.from(KEY, "utf8").toString("latin1"),
  spell(KEY, (code) => `%${code}`),
  spell(KEY, (code) => `\\u00${code}`),
  spell(KEY, (code) => `%25${code}`).replace("%25", "%2525").replace("%2573", "s"),
];

describe("a search for keys", () => {
  it.each(SPELLED)("finds the key as %s", (text) => {
    expect(clean(`a=${text}&b`)).toBe("a=!&b");
    expect(clean(`${text}${text}`)).toBe("!!");
  });

  // Without a sign in the key, only texts that may hold it are searched.
  it.each([(code: string) => `%${code}`, (code: string) => `\\u00${code}`])(
    "finds a key of letters with each of them escaped: %s",
    (write) => {
      expect(clean(`a=${spell("secret-number", write)}&b`, "secret-number")).toBe("a=!&b");
      expect(clean(`a=${spell("SECRET-NUMBER", write)}&b`, "secret-number")).toBe("a=!&b");
    },
  );

  it.each(["", "x", "xy", "xyz"])("finds the Base64 of the key after %j", (before) => {
    const text = Buffer.from(`${before}${KEY}end`, "latin1");
    for (const encoded of [text.toString("base64"), text.toString("base64url")]) {
      for (const spelled of [encoded, encodeURIComponent(encoded), encoded.toLowerCase()]) {
        const left = clean(spelled);
        expect(left).toContain("!");
        expect(left.length).toBeLessThan(17);
      }
    }
  });

  // What stands before a key may look like the beginning of an escape that takes its first characters.
  it.each([
    { before: "%", key: "41secret/key-8", text: "41secret%2Fkey-8" },
    { before: "%25", key: "41secret/key-8", text: "41secret%2Fkey-8" },
    { before: "%2", key: "52525secret/key-8", text: "52525secret%2Fkey-8" },
    { before: "%", key: "252525secret/key-8", text: "252525secret%2fkey-8" },
    { before: "\\", key: "u0041secret/key-8", text: "u0041secret%2Fkey-8" },
    { before: "\\u00", key: "41secret/key-8", text: "41secret\\/key-8" },
    { before: "%4", key: "1secret/key-8", text: "%31secret/key-8" },
    { before: "\xc3", key: "\xa9secret", text: "\xa9%73ecret" },
  ])("finds the key behind $before as $text", ({ before, key, text }) => {
    expect(clean(`a=${before}${text}&b`, key)).toBe(`a=${before}!&b`);
  });

  it.each([
    { key: "a%2525b", text: "a%2525b" },
    { key: "a%2525b", text: encodeURIComponent("a%2525b") },
    { key: "%%%%%", text: "%25%%2525%%25" },
    { key: "\\\\\\", text: "\\\\\\\\\\" },
    { key: "a\\b\\\\c", text: "a\\\\b\\\\\\\\c" },
    { key: "a\\b\\\\c", text: "a%5Cb%5C%5Cc" },
  ])("finds the key $key, itself full of signs, as $text", ({ key, text }) => {
    expect(clean(`x=${text} y`, key)).toBe("x=! y");
  });

  it("leaves other text alone", () => {
    const near = words`secret secret_kez secret-ke secre\u00 secret%2 % ${"a".repeat(10_000)}`;
    for (const text of [...near, "\\"]) expect(clean(text, "secret-key")).toBe(text);
  });

  it.each(rowsOf(["about", "keys", "text", "left"], [
    ["that overlap", { A: "abcd", B: "cdefgh" }, "xabcdefghx", "x{{A}}x"],
    ["of which one holds the other", { A: "bc", B: "abcd" }, "abcd bc", "{{B}} {{A}}"],
    ["that are equal", { A: "abcd", B: "abcd" }, "abcd", "{{A}}"],
    ["that repeat themselves", { A: "aaaa" }, "baaaaaaaaaab", "b{{A}}{{A}}b"],
  ]))("leaves nothing of keys $about", ({ keys, text, left }) => {
    expect(new KeySearch(new Map(Object.entries(keys))).clean(text)).toBe(left);
  });

  it.each([
    { text: "x sk/a", left: "x !" },
    { text: "x sk%2Fa%20b", left: "x !" },
    { text: `x ${KEY}`, left: "x !" },
    { text: "x sk/", left: "x sk/" },
    { text: "x sk/a y", left: "x sk/a y" },
    { text: `x ${btoa("sk/a b+c").slice(0, 8)}`, left: "x !" },
    ...["%", "%2", "%25", "%252", "\\", "\\\\", "\\u", "\\u0", "\\u00", "\\u002"].map((escape) => ({
      text: `x sk/a${escape}`,
      left: "x !",
    })),
  ])("finds where the key was cut: $text", ({ text, left }) => expect(clean(text, KEY, true)).toBe(left));

  const PLAIN = "sk-proj-AbC123/xyz+Q9def0123456789";
  const PERIODIC = ["    ", ...words`aaaa abab %25%25 %%%%\\\\secret \\\\ \/\/ 2525252525 u0000`];
  const BEGINNINGS = [
    PLAIN.slice(0, 3),
    PLAIN.slice(0, -1),
    PLAIN,
    btoa(PLAIN).slice(0, -4),
    "%73",
    "\\u0073",
  ];
  it.each([
    ...HOSTILE.map((unit) => ({ key: PLAIN, unit })),
    ...BEGINNINGS.map((unit) => ({ key: PLAIN, unit })),
    ...PERIODIC.flatMap((key) => [key, "%25", "\\"].map((unit) => ({ key, unit }))),
  ])("takes no more than linear time for the key $key and a run of $unit", async ({ key, unit }) => {
    const search = new KeySearch(new Map([["A", key], ["B", "another-secret"]]));
    expect(await measureGrowth((length) => search.clean(repeat(unit, length), true))).toBeLessThan(3);
  });

  it("costs twice as many keys less than twice as much", async () => {
    const keysOf = (count: number) =>
      new KeySearch(
        new Map(Array.from({ length: count }, (_, at) => [`K${at}`, btoa(`secret number ${at ** 5}`)])),
      );
    const [few, many] = [keysOf(100), keysOf(200)];
    const text = repeat('{"c2Vj":"c2VjcmV0IG51bWJlciA%3D"}', 65_536);
    // Half the text is searched for half the keys.
    const growth = await measureGrowth((length) => (length > 40_000 ? many : few).clean(text, true));
    expect(growth).toBeLessThan(3);
  });
});
