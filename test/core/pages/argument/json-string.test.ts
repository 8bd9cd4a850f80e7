/** JSON strings as texts and as bytes: what `JSON.parse` and `TextEncoder` make of them. @module */
import { describe, expect, it } from "vitest";
import { readString, unescapeString } from "../../../../src/core/pages/argument/json-string.ts";
import { Pace, STRETCH_BYTES } from "../../../../src/core/pages/argument/pace.ts";
import { randomFrom } from "../../../support/json.ts";

const encoder = new TextEncoder();
const encode = (text: string) => encoder.encode(text);

const STRINGS = [
  '""',
  '"plain"',
  '"é 日 🚀"',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '"\\\\u0041"',
  '"\\u0041\\u00e9\\u65e5\\uABCD\\uabcd"',
  '"\\u0000\\u007f\\u0080\\u07ff\\u0800\\uffff"',
  '"\\ud83d\\ude80"',
  '"\\uD800\\uDC00\\uDBFF\\uDFFF"',
  '"\\ud83d"',
  '"\\ude80"',
  '"\\ude80\\ud83d"',
  '"\\ud83d\\ud83d\\ude80"',
  '"\\ud83dude80"',
  '"\\ud83d\\n"',
  '"\\ud83d\\u0041"',
  '"\\ud83d🚀"',
  '"a\\u00e9é\\"é"',
  '"\u2028\u007f"',
  `"${"x".repeat(63)}"`,
  `"${"x".repeat(64)}é"`,
];

describe.each(STRINGS.map((written) => ({ written })))("$written", ({ written }) => {
  it("is read", () => expect(readString(encode(written))).toBe(JSON.parse(written)));

  it("is unescaped", async () => {
    const bytes = await unescapeString(encode(written), new Pace());
    expect([...bytes]).toEqual([...encode(JSON.parse(written) as string)]);
  });
});

it("is unescaped where stretches end in every part of an escape", async () => {
  const random = randomFrom(7);
  const parts = ["x", "é", "\\n", "\\u00e9", "\\ud83d\\ude80", "\\ud800"];
  const fill = Array.from({ length: 3 * STRETCH_BYTES / 4 }, () => parts[random(parts.length)]).join("");
  const texts = Array.from({ length: 12 }, (_, pad) => `"${"x".repeat(pad)}${fill}"`);
  const bytes = await Promise.all(texts.map((text) => unescapeString(encode(text), new Pace())));
  const expected = texts.map((text) => encode(JSON.parse(text) as string));
  expect(bytes.map((found, index) => Buffer.compare(found, expected[index] as Uint8Array)))
    .toEqual(texts.map(() => 0));
});

it("is a part of what is written where nothing is escaped", async () => {
  const written = encode('"é"');
  expect((await unescapeString(written, new Pace())).buffer).toBe(written.buffer);
});
