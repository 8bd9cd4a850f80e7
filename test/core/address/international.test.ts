/**
 * Texts that `URL` of Node, Bun, Deno and workerd read differently: here all read the same. `engines/` runs it in each.
 */
import { describe, expect, it } from "vitest";
import { decodeAddress, decodeBase, formatAddress } from "../../../src/core/address/address.ts";
import { decodeLabel } from "../../../src/core/address/label.ts";
import { decodeNamedTargets } from "../../../src/core/address/target-lists.ts";
import { parseUrl } from "../../../src/core/address/url.ts";
import { rowsOf } from "../../support/rows.ts";
import { Dice } from "../../support/dice.ts";

it.each([
  { about: "capitals beyond ASCII", host: "BÜCHER.test", read: "xn--bcher-kva.test" },
  { about: "its Punycode in capitals", host: "XN--BCHER-KVA.test", read: "xn--bcher-kva.test" },
  { about: "percent-encoded", host: "b%C3%BCcher.test", read: "xn--bcher-kva.test" },
  { about: "decomposed", host: "bu\u0308cher.test", read: "xn--bcher-kva.test" },
  { about: "a sharp s", host: "faß.de", read: "xn--fa-hia.de" },
  { about: "a final sigma", host: "ς.test", read: "xn--3xa.test" },
  { about: "Cyrillic", host: "пример.рф", read: "xn--e1afmkfd.xn--p1ai" },
  { about: "Chinese", host: "例え。テスト", read: "xn--r8jz45g.xn--zckzah" },
  { about: "a rare Chinese letter", host: "𠮷野.test", read: "xn--2m4ax555e.test" },
  { about: "Korean, decomposed", host: "\u1103\u1161\u11a8.test", read: "xn--3j1b.test" },
  { about: "Korean, half composed", host: "\ub2e4\u11a8.test", read: "xn--3j1b.test" },
  { about: "two marks on a letter", host: "\u1ea1\u0301.test", read: "xn--lsa752l.test" },
  { about: "marks on what becomes a letter", host: "\u017f\u0327\u0307.test", read: "xn--nga26f.test" },
  { about: "marks that are joined late", host: "H\u0331\u0308.test", read: "xn--ssa122l.test" },
  { about: "Hebrew", host: "עברית.test", read: "xn--5dbqzzl.test" },
  { about: "Arabic with its digits", host: "موقع١٢.test", read: "xn--4gbrim1kg.test" },
  { about: "Persian with a joiner", host: "نامه\u200cای.test", read: "xn--mgba3gch31f060k.test" },
  { about: "Hindi with a joiner", host: "क\u094d\u200dष.test", read: "xn--11b2ezcw70k.test" },
  { about: "a trailing dot", host: "עברית.test.", read: "xn--5dbqzzl.test." },
  { about: "emoji", host: "i❤.test", read: "xn--i-7iq.test" },
  { about: "an emoji beyond the first plane", host: "💩.test", read: "xn--ls8h.test" },
  { about: "full width", host: "ａ．test", read: "a.test" },
  { about: "IPv4 in full width", host: "１２７.0.0.1", read: "127.0.0.1" },
  { about: "IPv4 in circles", host: "①②⑦.1", read: "127.0.0.1" },
  { about: "IPv4 with an ideographic dot", host: "127。0。0。1", read: "127.0.0.1" },
  { about: "IPv4 in hexadecimal", host: "0x7f.1", read: "127.0.0.1" },
  { about: "IPv4 with a soft hyphen", host: "12\u00ad7.1", read: "127.0.0.1" },
  { about: "localhost in circles", host: "ⓛocalhost", read: "localhost" },
])("a name that all engines read alike: $about: $host is $read", ({ host, read }) => {
  expect(decodeBase(`http://${host}`)?.origin.hostname).toBe(read);
  expect(decodeAddress(`http://u:p@${host}:80/`)?.origin.hostname).toBe(read);
  expect(parseUrl(`\\/${host}\\`, "http://a.test/x")?.hostname).toBe(read);
});

const UNSETTLED = [
  { about: "a capital sharp s, which Node takes for ss", host: "FAẞ.de" },
  { about: "Punycode that is none", host: "xn--a.test" },
  { about: "Punycode without a word", host: "xn--.test" },
  { about: "Punycode of nothing but ASCII", host: "xn--ascii-.test" },
  { about: "Punycode of a capital", host: "xn--wca.test" },
  { about: "Punycode of what is decomposed", host: "xn--u-ccb.test" },
  { about: "Punycode of what is mapped", host: "xn--ab-j1t.test" },
  { about: "Punycode of a point that is none", host: "xn--99999999.test" },
  { about: "Punycode of half a pair", host: "xn--7b9h.test" },
  { about: "Punycode with a sign", host: "xn--b_cher!kva.test" },
  { about: "Punycode longer than a label", host: `xn--${"a".repeat(60)}.test` },
  { about: "a digit before Hebrew", host: "1א.test" },
  { about: "a digit beside Hebrew", host: "א.1a" },
  { about: "a low line beside Hebrew", host: "_a.א.test" },
  { about: "Latin letters in Hebrew", host: "אaב.test" },
  { about: "a name of digits in Arabic", host: "١٢.test" },
  { about: "digits of two kinds", host: "م1١.test" },
  { about: "the same in Punycode", host: "xn--4db.1a" },
  { about: "two joiners", host: "क\u094d\u200d\u200d.test" },
  { about: "a joiner behind a letter that joins nothing", host: "دة\u200cا.test" },
  { about: "a joiner alone", host: "\u200d.test" },
  { about: "a vowel sign that is mapped to nothing", host: "a\u180e.test" },
  { about: "a filler that is mapped to nothing", host: "localhost\u3164" },
  { about: "the same percent-encoded", host: "localhost%E3%85%A4" },
  { about: "invisible signs", host: "local\u2064host" },
  { about: "pieces of Hangul", host: "라\u3133.test" },
  { about: "capitals of Georgian", host: "\u10a0.test" },
  { about: "a letter of Unicode 15.1", host: "x\u{2ebf0}.test" },
  { about: "a letter of Unicode 16", host: "\ua7da.test" },
  { about: "the same in Punycode", host: "xn--c88a.test" },
  { about: "letters for mathematics", host: "𝐥ocalhost" },
];

describe("a name that engines read differently", () => {
  it.each(UNSETTLED)("$about is none: $host", ({ host }) => {
    expect(decodeBase(`http://${host}`)).toBeUndefined();
    expect(decodeAddress(`https://u:p@${host}:8080/`)).toBeUndefined();
    expect(parseUrl(`//${host}/`, "http://a.test/x")).toBeUndefined();
    expect([parseUrl(`ws://${host}/`), decodeNamedTargets([host])]).toEqual([undefined, undefined]);
  });

  it.each(["s-xn----a-test", "s-xn----4db-1a", "s-xn----ascii---test"])(
    "has no label: %s",
    (label) => expect(decodeBase(decodeLabel(label) ?? "")).toBeUndefined(),
  );
});

describe("a reference beyond ASCII", () => {
  const base = "http://a.test/b/c";
  it.each([
    { text: "ẞ", href: "http://a.test/b/%E1%BA%9E" },
    { text: "/ẞ", href: "http://a.test/%E1%BA%9E" },
    { text: "?ẞ", href: "http://a.test/b/c?%E1%BA%9E" },
    { text: "\u00a0//ẞ", href: "http://a.test/b/%C2%A0//%E1%BA%9E" },
    { text: " \t//ü\n.test/", href: "http://xn--tda.test/" },
    { text: "mailto:ẞ@a.test", href: "mailto:%E1%BA%9E@a.test" },
    { text: "http:ẞ", href: undefined },
  ])("$text is $href", ({ text, href }) => expect(parseUrl(text, base)?.href).toBe(href));
});

it.each([
  { text: "http://a.test/^ ^?^", path: "/%5E%20%5E?^" },
  { text: "http://a.test/^?^", path: "/^?^" },
])("a circumflex in $text is read as $path", ({ text, path }) => {
  expect(decodeAddress(text)?.path).toBe(path);
  expect(decodeBase("http://a.test/^")?.path).toBe("/%5E");
});

/** What texts of some kind are put together from, and a digest of what they are read as: the same in all engines. */
describe("thousands of texts are read the same", () => {
  const ASCII = [..."a1-_.z%~!'*|^0", "0x7", "xn--", "%41", "%2e", "kva", "..", "256", ":80", "@"];
  const LATIN = [..."üßéẞıİKſ①⒈ﬀ²ªº", "\u00ad", "\u0301", "\u200c", "\u200d", "\u3002", "A", "b"];
  const RIGHT = [..."אבגדםابپتثج١٢۱1a-.", "\u05b0", "\u064b", "\u0640", "\u200c", "_"];
  const INDIC = [..."कखगघतन1a-", "\u093e", "\u094d", "\u094d\u200d", "\u200c"];
  const HANGUL = [..."가나라까ㄱㅏㄳ", "\u1100", "\u1161", "\u11a8", "a"];
  const POINTS = Array.from({ length: 4_000 }, (_, index) => String.fromCodePoint(0x80 + index * 47));

  it.each(rowsOf(["about", "parts", "start", "digest"], [
    ["ASCII", ASCII, "", "688-13561938"],
    ["Punycode", [..."abcdefghijklmnopqrstuvwxyz0123456789-"], "xn--", "471-ba378648"],
    ["Latin", LATIN, "", "827-1da99a24"],
    ["right-to-left", RIGHT, "", "673-cab89be7"],
    ["Indic", INDIC, "", "1104-a23c8674"],
    ["Hangul", HANGUL, "", "745-530850f5"],
    ["any character", POINTS, "", "382-449ef2d"],
    ["any character behind a letter", POINTS, "x", "386-d483b90d"],
  ]))("$about", ({ parts, start, digest }) => {
    const dice = new Dice(20_261_127);
    const texts = Array.from({ length: 2_000 }, (_, index) => {
      const host = Array.from({ length: 1 + index % 6 }, () => dice.pick(parts)).join("");
      return `http://${start}${host}${dice.pick([".test", "", "."])}/^p ü?q^`;
    });
    const read = texts.map((text) => {
      const address = decodeAddress(text);
      return address ? formatAddress(address) : "none";
    });
    expect(digestOf(read)).toBe(digest);
  });
});

/** How many are read, and 32 bits of all of them (FNV-1a). */
function digestOf(read: readonly string[]): string {
  const bits = [...read.join("\n")].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0,
    0x811c9dc5,
  );
  return `${read.filter((address) => address !== "none").length}-${bits.toString(16)}`;
}
