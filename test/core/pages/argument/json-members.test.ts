/** The members of a JSON text as written: taken and refused where `JSON.parse` takes and refuses. @module */
import { describe, expect, it } from "vitest";
import { MAX_MEMBERS, readMembers } from "../../../../src/core/pages/argument/json-members.ts";
import { Pace, STRETCH_BYTES } from "../../../../src/core/pages/argument/pace.ts";
import { mutate, type Random, randomFrom, writeJson } from "../../../support/json.ts";
import { alike, rowsOf, words } from "../../../support/rows.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const scan = (json: string | Uint8Array<ArrayBuffer>) =>
  readMembers(typeof json === "string" ? encoder.encode(json) : json, new Pace());
/** The members, or nothing where the text is refused. */
const read = async (json: string | Uint8Array<ArrayBuffer>) => {
  const members = await scan(json);
  return typeof members === "number" ? undefined : members;
};

/** The members as texts, their names read. */
async function list(json: string) {
  return (await read(json))?.list.map(({ name, value }) => [
    name.length ? JSON.parse(decoder.decode(name)) as string : "",
    decoder.decode(value),
  ]);
}

/** What `JSON.parse` says of UTF-8: the value in a box, or nothing. */
function parse(json: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(decoder.decode(json)) };
  } catch {
    return undefined;
  }
}

/** The same value, put together from its members. */
async function rebuild(json: Uint8Array<ArrayBuffer>): Promise<{ value: unknown } | undefined> {
  const members = await read(json);
  if (!members) return undefined;
  const whole = parse(json) ?? { value: "taken, though JSON.parse refuses it" };
  if (typeof whole.value !== "object" || whole.value === null) return whole;
  const values = members.list.map(({ value }) => parse(value)?.value);
  if (!members.isObject) return { value: values };
  const names = members.list.map(({ name }) => parse(name)?.value as string);
  // Entries, for `__proto__` is a member like every other.
  return { value: Object.fromEntries(names.map((name, index) => [name, values[index]])) };
}

describe("readMembers", () => {
  it.each(rowsOf(["json", "members"], [
    ["{}", []],
    [" { } ", []],
    ["[]", []],
    ["[\n]", []],
    ['{"a":1}', [["a", "1"]]],
    ['{"a":9007199254740993,"b":1e400}', [["a", "9007199254740993"], ["b", "1e400"]]],
    ['\n{ "a" :\t-0.10 , "b": null }\n', [["a", "-0.10"], ["b", "null"]]],
    ['{"b":{"b":1, "c":[2]},"a":[{"b":3}]}', [["b", '{"b":1, "c":[2]}'], ["a", '[{"b":3}]']]],
    ['{"a":"x\\"}, \\"b\\": 1","c":2}', [["a", '"x\\"}, \\"b\\": 1"'], ["c", "2"]]],
    ['{"a\\"":"\\\\","b":"\\\\\\""}', [['a"', '"\\\\"'], ["b", '"\\\\\\""']]],
    ['{"b\\u006fdy":1}', [["body", "1"]]],
    ['{"a":1,"a":2}', [["a", "1"], ["a", "2"]]],
    ['{"":1}', [["", "1"]]],
    ['{"a:b":"c:d,e"}', [["a:b", '"c:d,e"']]],
    ['{"a":"\u00a0 é 日 🚀"}', [["a", '"\u00a0 é 日 🚀"']]],
    ['{"z":1,"__proto__":{"a":1},"1":2}', [["z", "1"], ["__proto__", '{"a":1}'], ["1", "2"]]],
    ['[1.0, "two,]", [3,4], {"a":[5]}]', [["", "1.0"], ["", '"two,]"'], ["", "[3,4]"], ["", '{"a":[5]}']]],
    ['"text"', []],
    ["-1.5e-3", []],
    ["true", []],
  ]))("of $json", async ({ json, members }) => expect(await list(json)).toEqual(members));

  it.each([
    { json: '{"a":1}', isObject: true },
    { json: ' {"a":[]}', isObject: true },
    ...alike("json", { isObject: false })`[{}] "{}" 1`,
  ])("tells an object: $json", async ({ json, isObject }) => {
    expect((await read(json))?.isObject).toBe(isObject);
  });

  it.each([
    { size: MAX_MEMBERS - 1, isCut: false },
    { size: MAX_MEMBERS, isCut: false },
    { size: MAX_MEMBERS + 1, isCut: true },
    { size: MAX_MEMBERS * 3, isCut: true },
  ])("of $size members gives no more than $#", async ({ size, isCut }) => {
    const array = await read(JSON.stringify(Array.from({ length: size }, () => 0)));
    const object = await read(
      JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, at) => [at, 0]))),
    );
    const seen = { length: Math.min(size, MAX_MEMBERS), isCut };
    expect([array, object].map((members) => ({ length: members?.list.length, isCut: members?.isCut })))
      .toEqual([seen, seen]);
  });

  it.each(rowsOf(["json", "at"], [["", 0], ["[", 1], ["[1", 2], ["x", 0], ['{"a":01}', 6], ["{}{}", 2]]))(
    "tells where $json can't be read: at $at",
    async ({ json, at }) => expect(await scan(json)).toBe(at),
  );

  it("of long texts takes no stack, and joins what it reads at several stretches", async () => {
    const long = `"${'\\"x'.repeat(STRETCH_BYTES)}"`;
    const deep = "[".repeat(STRETCH_BYTES) + "]".repeat(STRETCH_BYTES);
    expect(await list(`{"long":${long},"deep":${deep}}`)).toEqual([["long", long], ["deep", deep]]);
  });
});

/** Each piece alone, and everywhere that a value may stand. */
const PIECES = [
  ...["", " ", "\t\n\r ", "\v", "\f", "\u00a0", "\ufeff", "\u2028", "\0"],
  ...words`0 -0 00 01 -01 - +1 1. .1 1.0 1.e1 1e 1e+ 1e+01 1E-0 1e1.5 0x1 1_0 1n NaN Infinity -Infinity
    123456789 -1.5e300 1e400 0e0 true false null tru truee True nul nulll fals undefined t`,
  ...words`"" " 'a' "a a" "\" "\\" "\a" "\/" "\b\f\n\r\t" "\v" "\0" "\u" "\u0" "\u00" "\u000" "\u0000" "\u00g0"
    "\uABCD" "\uabcd" "\U0000" "\ud800" "\udc00\ud800" "\ud83d\ude00" "\x41" "\u{41}"`,
  ...[
    '"\\u 000"',
    '"\\\n"',
    '"\n"',
    '"\t"',
    '"\u0000"',
    '"\u001f"',
    '"\u007f"',
    '"\u0080"',
    '"é"',
    '"日本"',
    '"🚀"',
  ],
  ...['"\u2028"', "- 1", "1 2", "n ull", "[ ]", "[1 2]", "{ }", '{"a":1 "b":2}', "/* */1", "`a`"],
  ...words`[] [,] [1,] [,1] [1,,2] [ ] []] [[] [} [1:2] ["a":1] {} {,} {"a"} {"a":} {"a":1,} {,"a":1}
    {"a":1,,"b":2} { } {] {}} {{}} {a:1} {1:1} {'a':1} {"a":1:2} {"a"::1} {"a","b"} {null:1} {[]:1}
    {"a":1}} {"a":[} {"a":{] [{]} [{"a":[{"b":[]}]}] {}{} [][] {}[] 1,2 {}, ,{}`,
  ...words`//x {}//x # 1; (1) \u0031`,
];

describe("is taken and refused as by JSON.parse", () => {
  it.each([
    { about: "alone", around: (piece: string) => piece },
    { about: "between blanks", around: (piece: string) => ` \n${piece}\t` },
    { about: "as an item", around: (piece: string) => `[${piece}]` },
    { about: "as the last item", around: (piece: string) => `[{},[], ${piece} ]` },
    { about: "as a member", around: (piece: string) => `{"a":${piece}}` },
    { about: "as a name", around: (piece: string) => `{${piece}:1}` },
    { about: "as the last of equal members", around: (piece: string) => `{"a":1,"b":[],"a" : ${piece}}` },
    { about: "deep", around: (piece: string) => `${'[{"a":'.repeat(20)}${piece}${"}]".repeat(20)}` },
  ])("each piece $about", async ({ around }) => {
    const texts = PIECES.map((piece) => encoder.encode(around(piece)));
    expect(await Promise.all(texts.map(rebuild))).toEqual(texts.map(parse));
  });

  it.each([
    { about: "a lone tail", bytes: [0x80] },
    { about: "a cut character of two", bytes: [0xc3] },
    { about: "a cut character of three", bytes: [0xe2, 0x82] },
    { about: "a cut character of four", bytes: [0xf0, 0x9f, 0x9a] },
    { about: "overlong by two", bytes: [0xc0, 0xaf] },
    { about: "overlong by two, the last", bytes: [0xc1, 0xbf] },
    { about: "overlong by three", bytes: [0xe0, 0x9f, 0xbf] },
    { about: "the first of three", bytes: [0xe0, 0xa0, 0x80] },
    { about: "the last before surrogates", bytes: [0xed, 0x9f, 0xbf] },
    { about: "the first surrogate", bytes: [0xed, 0xa0, 0x80] },
    { about: "the first after surrogates", bytes: [0xee, 0x80, 0x80] },
    { about: "overlong by four", bytes: [0xf0, 0x8f, 0xbf, 0xbf] },
    { about: "the first of four", bytes: [0xf0, 0x90, 0x80, 0x80] },
    { about: "the last of all", bytes: [0xf4, 0x8f, 0xbf, 0xbf] },
    { about: "one beyond", bytes: [0xf4, 0x90, 0x80, 0x80] },
    { about: "far beyond", bytes: [0xf5, 0x80, 0x80, 0x80] },
    { about: "no byte of UTF-8", bytes: [0xff] },
    { about: "a character that ASCII interrupts", bytes: [0xe2, 0x41, 0xac] },
  ])("UTF-8 of $about", async ({ bytes }) => {
    const inside = Uint8Array.from([0x5b, 0x22, ...bytes, 0x22, 0x5d]);
    const outside = Uint8Array.from([0x5b, ...bytes, 0x5d]);
    expect(await Promise.all([inside, outside].map(rebuild))).toEqual([inside, outside].map(parse));
  });

  it.each(Array.from({ length: 20 }, (_, seed) => ({ seed })))(
    "random texts, whole and torn: $seed",
    async ({ seed }) => {
      const random: Random = randomFrom(seed);
      const whole = Array.from({ length: 100 }, () => encoder.encode(writeJson(random)));
      const texts = [...whole, ...whole.map((json) => mutate(json, random))];
      const expected = texts.map(parse);
      expect(await Promise.all(texts.map(rebuild))).toEqual(expected);
      // Both kinds must be there, or nothing is shown.
      expect(expected.filter(Boolean).length).toBeGreaterThan(99);
      expect(expected.filter((found) => !found).length).toBeGreaterThan(20);
    },
  );
});
