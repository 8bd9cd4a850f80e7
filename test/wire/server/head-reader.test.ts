/** Heads of requests on one connection: read in one way, in whatever pieces they come and whatever came before. */
import { describe, expect, it, vi } from "vitest";
import { KeptFields } from "../../../src/core/http/fields.ts";
import { HeadReader } from "../../../src/wire/server/head-reader.ts";
import { rowsOf } from "../../support/rows.ts";

const HEAD = "GET /a HTTP/1.1\r\nHost: a.test\r\n\r\n";
const OTHER_HEAD = "POST /b HTTP/1.0\r\n\r\n";
const MIB = 1_048_576;
/** The first bytes of a TLS handshake. */
const CLIENT_HELLO = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";

const latin1 = (text: string) => Buffer.from(text, "latin1");
/** Reads all heads in a text that comes in pieces of so many bytes. */
function readAll(text: string, size: number) {
  const reader = new HeadReader();
  const heads: string[] = [];
  let rest = "";
  for (let at = 0; at < text.length; at += size) {
    let bytes: Buffer = latin1(rest + text.slice(at, at + size));
    rest = "";
    for (let read = reader.read(bytes); read; read = bytes.length ? reader.read(bytes) : undefined) {
      heads.push(`${read.head.method} ${read.head.url}`);
      bytes = read.rest;
    }
  }
  return { heads, hasBegun: reader.hasBegun };
}

/** A head of so many bytes, its end not counted. */
function headOf(bytes: number): string {
  const start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
  return `${start}${"x".repeat(bytes - start.length)}\r\n\r\n`;
}

describe("HeadReader", () => {
  it.each([1, 2, 3, 7, 1_000])("reads one head after the other in pieces of %s", (size) => {
    expect(readAll(HEAD, size)).toEqual({ heads: ["GET /a"], hasBegun: false });
    expect(readAll(HEAD + OTHER_HEAD + HEAD, size))
      .toEqual({ heads: ["GET /a", "POST /b", "GET /a"], hasBegun: false });
    expect(readAll(HEAD + OTHER_HEAD.slice(0, -1), size)).toEqual({ heads: ["GET /a"], hasBegun: true });
  });

  it("keeps a copy of what it has collected", () => {
    const reader = new HeadReader();
    const bytes = latin1(HEAD.slice(0, 10));
    reader.read(bytes);
    bytes.fill(0);
    expect(reader.read(latin1(HEAD.slice(10)))?.head.url).toBe("/a");
  });

  it("passes over empty lines before a head", () => {
    const reader = new HeadReader();
    expect([reader.read(latin1("\r\n")), reader.hasBegun]).toEqual([undefined, false]);
    expect(reader.read(latin1(`\r\n\r\n${HEAD}`))?.head.url).toBe("/a");
    expect(reader.read(latin1(`\r\n${HEAD}`))?.head.url).toBe("/a");
  });

  it.each([1, 3])(
    "passes over empty lines that come in pieces of %s",
    (size) => expect(readAll(`\r\n\r\n${HEAD}`, size)).toEqual({ heads: ["GET /a"], hasBegun: false }),
  );

  it.each([
    { about: "a TLS handshake", text: CLIENT_HELLO },
    { about: "the first byte of one", text: "\x16" },
    { about: "a byte beyond ASCII", text: "\x80" },
    { about: "a NUL", text: "\0" },
    { about: "a space", text: " " },
    { about: "a line feed", text: "\n" },
    { about: "a return with more behind it", text: "\rG" },
    { about: "a request line that ends with a line feed", text: "GET / HTTP/1.1\n" },
    { about: "a field that ends with a line feed", text: "GET / HTTP/1.1\r\nHost: a\n" },
    { about: "an empty line that is a line feed", text: "GET / HTTP/1.1\r\nHost: a\r\n\n" },
  ])("refuses $about at once", ({ text }) => {
    expect(() => readAll(text, 1_000)).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(() => readAll(text, 1)).toThrow(expect.objectContaining({ code: "bad_request" }));
  });

  it.each([2 * MIB, 60_000])("takes heads of up to 1 MiB, in pieces of %s", (size) => {
    expect(readAll(headOf(MIB), size).heads).toEqual(["GET /"]);
    expect(() => readAll(headOf(MIB + 1), size))
      .toThrow(expect.objectContaining({ code: "fields_too_large" }));
  });

  it("refuses a head of more than 1 MiB before its end has come", () => {
    const tooLarge = expect.objectContaining({ code: "fields_too_large" });
    expect(() => readAll(headOf(MIB + 1).slice(0, -4), 2 * MIB)).toThrow(tooLarge);
    expect(() => readAll(headOf(2 * MIB).slice(0, -4), 60_000)).toThrow(tooLarge);
  });
});

/** What a reader makes of some bytes: the head in full, or why there is none. */
function outcome(reader: HeadReader, text: string) {
  try {
    const read = reader.read(latin1(text));
    if (!read) return "incomplete";
    const { head: { headers, ...head }, rest } = read;
    return { ...head, headers: [...headers], rest: rest.toString("latin1") };
  } catch (error) {
    return (error as Error).message;
  }
}

/** A reader that has read this head so many times. */
function readerBehind(text: string, times: number): HeadReader {
  const reader = new HeadReader();
  for (let count = 0; count < times; count += 1) outcome(reader, text);
  return reader;
}

describe("a head with the fields of the one before", () => {
  const FIELDS = "Host: a.test\r\nAccept: */*\r\nX: caf\xe9\r\n\r\n";
  const FIRST = `GET /first HTTP/1.1\r\n${FIELDS}`;

  it.each(rowsOf(["about", "text"], [
    ["the same", FIRST],
    ["another path", `GET /second?x HTTP/1.1\r\n${FIELDS}`],
    ["another method", `POST / HTTP/1.1\r\n${FIELDS}`],
    ["another version", `GET / HTTP/1.0\r\n${FIELDS}`],
    ["a version that is refused", `GET / HTTP/1.2\r\n${FIELDS}`],
    ["an absolute target", `GET http://a.test/ HTTP/1.1\r\n${FIELDS}`],
    ["another host in its target", `GET http://b.test/ HTTP/1.1\r\n${FIELDS}`],
    ["a target beyond ASCII", `GET /caf\xc3\xa9 HTTP/1.1\r\n${FIELDS}`],
    ["a target that is not UTF-8", `GET /caf\xe9 HTTP/1.1\r\n${FIELDS}`],
    ["no target", `GET HTTP/1.1\r\n${FIELDS}`],
    ["an empty line before it", `\r\n${FIRST}`],
    ["more behind it", `${FIRST}${FIRST}\0`],
    ["a line that ends with a line feed", `GET / HTTP/1.1\n${FIELDS}`],
    ["a line that ends with another byte and a line feed", `GET / HTTP/1.1X\n${FIELDS}`],
    ["a line of one byte", `\n${FIELDS}`],
    ["no request line", FIELDS],
    ["another value", FIRST.replace("a.test", "b.test")],
    ["a longer value", FIRST.replace("a.test", "a.test2")],
    ["another case", FIRST.replace("Accept", "accept")],
    ["a field more", FIRST.replace("\r\n\r\n", "\r\nY: 1\r\n\r\n")],
    ["a field before them", FIRST.replace("Host", "Y: 1\r\nHost")],
    ["a field less", FIRST.replace("Accept: */*\r\n", "")],
    ["no fields", "GET / HTTP/1.0\r\n\r\n"],
    ["no end yet", FIRST.slice(0, -1)],
    ["only its line yet", "GET / HTTP/1.1\r\n"],
    ["a line of 1 MiB", `GET /${"x".repeat(MIB)} HTTP/1.1\r\n${FIELDS}`],
    ["a line just as long as one may be", `GET /${"x".repeat(MIB - 64)} HTTP/1.1\r\n${FIELDS}`],
  ]))("is read as if it were the first: $about", ({ text }) => {
    for (const times of [1, 2, 3, 4]) {
      expect(outcome(readerBehind(FIRST, times), text), `behind ${times}`)
        .toEqual(outcome(new HeadReader(), text));
    }
  });

  it("is read in any pieces, and what comes behind it too", () => {
    const text = `GET /second HTTP/1.1\r\n${FIELDS}`;
    for (let size = 1; size < text.length; size += 1) {
      const reader = readerBehind(FIRST, 3);
      expect(outcome(reader, text.slice(0, size))).toBe("incomplete");
      expect(outcome(reader, text.slice(size))).toMatchObject({ url: "/second", rest: "" });
      expect(outcome(reader, OTHER_HEAD)).toMatchObject({ url: "/b" });
      expect(outcome(reader, FIRST)).toMatchObject({ url: "/first" });
    }
  });

  it("is not searched from its beginning with each piece of it", () => {
    const reader = readerBehind(FIRST, 3);
    const text = latin1(`GET /${"x".repeat(20_000)} HTTP/1.1\r\n${FIELDS}`);
    let searched = 0;
    const search = Buffer.prototype.indexOf;
    const spy = vi.spyOn(Buffer.prototype, "indexOf").mockImplementation(
      function (this: Buffer, value, from, encoding) {
        searched += this.length - Number(from ?? 0);
        return search.call(this, value, from as number, encoding);
      },
    );
    let read: ReturnType<typeof reader.read>;
    for (let at = 0; at < text.length; at += 20) read = reader.read(text.subarray(at, at + 20));
    spy.mockRestore();
    expect(read!.head.url).toHaveLength(20_001);
    // Twice by what looks for the end, and for line feeds.
    expect(searched).toBeLessThan(4 * text.length);
  });

  it("has the same object as fields, and another one in its turn", () => {
    const reader = readerBehind(FIRST, 3);
    const fieldsOf = (text: string) => reader.read(latin1(text))!.head.headers;
    const fields = fieldsOf(FIRST);
    expect(fields).toBeInstanceOf(KeptFields);
    expect(fieldsOf(`PUT /x HTTP/1.1\r\n${FIELDS}`)).toBe(fields);
    expect([...fieldsOf(HEAD)]).toEqual([["host", "a.test"]]);
    expect(fieldsOf(FIRST)).toBe(fields);
  });

  it("shares its fields with other connections, and loses them to no head that comes once", () => {
    const fieldsOf = (text: string, reader: HeadReader) => reader.read(latin1(text))!.head.headers;
    const fields = fieldsOf(FIRST, readerBehind(FIRST, 2));
    const reader = new HeadReader();
    const others = Array.from(
      { length: 1_000 },
      (_, at) => fieldsOf(FIRST.replace("X: ", `X: ${at}`), reader),
    );
    expect(others.filter((other) => other instanceof KeptFields)).toEqual([]);
    expect(fieldsOf(FIRST, readerBehind(FIRST, 2))).toBe(fields);
    expect(fieldsOf(FIRST, new HeadReader())).toBe(fields);
  });

  it("keeps a copy of them: a view would keep the whole read in memory", () => {
    const reader = new HeadReader();
    const bytes = latin1(FIRST);
    for (let count = 0; count < 3; count += 1) reader.read(bytes);
    bytes.fill(0);
    expect(outcome(reader, FIRST)).toEqual(outcome(new HeadReader(), FIRST));
  });
});
