/** Heads that differ in free values alone: read by their shape exactly as they are read anew, and no other head is. @module */
import { describe, expect, it } from "vitest";
import { linesOf } from "../../../src/core/http/fields.ts";
import { HeadReader } from "../../../src/wire/server/head-reader.ts";
import { rowsOf } from "../../support/rows.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const ID = "X-Request-Id: ";
/** Lines of requests with a value of their own, so that no two heads are the same. */
const linesWith = (value: string) => ["Host: a.test", `Cookie: a=${value}`, "Accept: */*", ID + value];

/** Reads one head of these lines after the other on one connection. */
function readLast(heads: readonly (readonly string[])[], first = "GET / HTTP/1.1") {
  const reader = new HeadReader();
  return heads.map((lines) => reader.read(latin1([first, ...lines, "", ""].join("\r\n")))!.head.headers).at(
    -1,
  )!;
}

/** The first three make the shape known. */
const BEFORE = ["1", "22", "333"].map(linesWith);

describe("the shape of a head", () => {
  it.each(rowsOf(["about", "lines", "isKnown"], [
    ["values that are new", linesWith("4"), true],
    ["longer ones with blanks and commas", linesWith("4, 5;\t6 =7"), true],
    ["bytes beyond ASCII", linesWith("\u00e9\u00ff"), true],
    ["blanks around a value", ["Host: a.test", "Cookie:  a=4 ", "Accept: */*", `${ID}\t4\t`], true],
    ["an empty value", ["Host: a.test", "Cookie: a=4", "Accept: */*", ID], false],
    ["blanks alone", ["Host: a.test", "Cookie:   ", "Accept: */*", `${ID}4`], false],
    ["a cookie of the proxy", ["Host: a.test", "Cookie: proxy_host=b.test", "Accept: */*", `${ID}4`], false],
    ["another host", ["Host: b.test", ...linesWith("4").slice(1)], false],
    ["another value that counts", ["Host: a.test", "Cookie: a=4", "Accept: text/*", `${ID}4`], false],
    ["a line more at the end", [...linesWith("4"), "X-A: 1"], false],
    ["a line more within", ["Host: a.test", "Cookie: a=4", "X-A: 1", "Accept: */*", `${ID}4`], false],
    ["a line less", linesWith("4").slice(0, 3), false],
    ["another order", linesWith("4").toReversed(), false],
    ["other letters of a name", ["Host: a.test", "cookie: a=4", "Accept: */*", `${ID}4`], false],
    ["the same name twice", [...linesWith("4"), `${ID}5`], false],
    ["a free field without a value behind", [...linesWith("4"), "traceparent: "], false],
  ]))("$about", ({ lines, isKnown }) => {
    const [read, anew] = [readLast([...BEFORE, lines]), readLast([lines])];
    expect(read.shape !== undefined).toBe(isKnown);
    expect([linesOf(read), read.bytes]).toEqual([linesOf(anew), anew.bytes]);
    for (const name of ["host", "cookie", "accept", "x-request-id", "traceparent", "x-a", "x-b"]) {
      expect([name, read.get(name)]).toEqual([name, anew.get(name)]);
    }
  });

  it.each(["\0", "\x7f", "\n", "\r", "\x1b[0m"])("refuses a control byte: %j", (byte) => {
    expect(() => readLast([...BEFORE, linesWith(`4${byte}5`)])).toThrow("malformed");
  });

  it.each(rowsOf(["about", "heads"], [
    ["until it has come twice", BEFORE.slice(0, 2)],
    ["with more than 64 fields", [...BEFORE, ...BEFORE].map((lines) => lines.concat(Array(61).fill("A:")))],
    ["without a free value", ["1", "2", "3", "4"].map((value) => ["Host: a.test", `X-A: ${value}`])],
    [
      "of values that are empty each time",
      ["1", "2", "3", "4"].map((value) => ["Host: a.test", `X-A: ${value}`, ID]),
    ],
  ]))("is not known $about", ({ heads }) => expect(readLast(heads).shape).toBeUndefined());

  it("is shared by connections, and holds no value", () => {
    const [one, other] = ["a", "b"].map((of) =>
      readLast(["1", "2", "3", "4"].map((value) => linesWith(of + value)))
    );
    expect(other!.shape).toBe(one!.shape);
    expect([...one!.shape!]).toEqual([["host", "a.test"], ["cookie", ""], ["accept", "*/*"], [
      "x-request-id",
      "",
    ]]);
  });

  it("is another one where an empty value stands in the place of a free one", () => {
    const heads = (value: string) =>
      ["1", "2", "3", "4"].map((id) => ["Host: a.test", `traceparent: ${value && id}`, ID + id]);
    expect(readLast(heads("")).shape).not.toBe(readLast(heads("x")).shape);
  });

  it("keeps the lines of several cookies together", () => {
    const heads = ["1", "2", "3", "4"].map((id) => ["Host: a.test", "Cookie: a=1", "Cookie: b=2", ID + id]);
    const read = readLast(heads);
    expect([read.shape !== undefined, read.get("cookie"), read.get("x-request-id")]).toEqual([
      true,
      "a=1; b=2",
      "4",
    ]);
  });

  it("gives way to lines that come again, and these to a shape", () => {
    const heads = ["1", "1", "1", "2", "3", "4", "5", "5", "6"].map(linesWith);
    const known = heads.map((_, at) => readLast(heads.slice(0, at + 1)));
    expect(known.map(({ kept, shape }) => kept ? "lines" : shape ? "shape" : "anew"))
      .toEqual(["anew", "anew", "lines", "anew", "anew", "shape", "shape", "shape", "shape"]);
    expect(known.map((headers) => headers.get("x-request-id"))).toEqual([
      "1",
      "1",
      "1",
      "2",
      "3",
      "4",
      "5",
      "5",
      "6",
    ]);
  });

  it("is none of HTTP/1.0 with an upgrade, which is dropped", () => {
    const heads = ["1", "2", "3", "4"].map((id) => ["Host: a.test", "Upgrade: h2c", ID + id]);
    const read = readLast(heads, "GET / HTTP/1.0");
    expect([read.get("upgrade"), read.get("x-request-id"), read.shape]).toEqual([null, "4", undefined]);
  });
});
